/** Says that the server cannot be used, for as long as that is so; what was read before stays. */
import type { ReactNode } from "react";
import { useConnectionError } from "../react";
import { ErrorText } from "./errors";
import { useMemoryUi } from "./ui";

export function ConnectionStatus(): ReactNode {
  const { errors } = useMemoryUi().strings;
  const error = useConnectionError();
  return (
    <div className="ks-connection" role="status">
      {error && (
        <>
          <strong>{errors.outdated}</strong> <ErrorText error={error} strings={errors} />
        </>
      )}
    </div>
  );
}
