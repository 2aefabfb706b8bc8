/** Shown in place of what could not be read, with a way to read it again. */
import type { ReactNode } from "react";
import { useKeepsake } from "../react";
import { ErrorText } from "./errors";
import { useMemoryUi } from "./ui";

export function LoadError({ error }: { error: unknown }): ReactNode {
  const { errors, again } = useMemoryUi().strings;
  const { refresh } = useKeepsake();
  return (
    <div className="ks-empty" role="alert">
      <ErrorText error={error} strings={errors} />
      <button type="button" className="ks-button" onClick={() => void refresh()}>
        {again}
      </button>
    </div>
  );
}
