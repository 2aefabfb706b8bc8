/** Why something on the page failed, and what the person can do. */
import type { ReactNode } from "react";
import { ErrorText } from "../../src/panel/errors";
import { findStrings } from "../../src/panel/ui";
import type { PageStrings } from "./strings";

export function PageError(props: { error: unknown; strings: PageStrings; lead?: string }): ReactNode {
  const { error, strings, lead } = props;
  return (
    <div className="kp-error" role="alert">
      {lead} <ErrorText error={error} strings={findStrings(strings.locale).errors} />
    </div>
  );
}
