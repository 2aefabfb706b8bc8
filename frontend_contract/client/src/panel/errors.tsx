/** What went wrong, in the person's language, and what they can do; the technical reason is for whoever asks. */
import type { ReactNode } from "react";
import { RequestError } from "../react";
import type { Strings } from "./strings/en";

type ErrorStrings = Strings["errors"];
type ErrorKind = Exclude<keyof ErrorStrings, "details" | "outdated" | "seconds" | "soon">;

const KINDS: Record<number, ErrorKind> = {
  0: "unreachable",
  401: "signedOut",
  404: "gone",
  408: "slow",
  409: "conflict",
  410: "late",
  413: "large",
  429: "often",
  502: "away",
  503: "away",
  504: "slow",
};
/** PostgreSQL's code of a statement that took too long, which PostgREST answers as an error of the server. */
const STATEMENT_TIMEOUT = "57014";

/** Explain an error in words that need no knowledge of what happens behind. */
export function explainError(error: unknown, strings: ErrorStrings): string {
  if (!(error instanceof RequestError)) return strings.broken;
  const { status, code, retryAfter } = error;
  const kind = code === STATEMENT_TIMEOUT ? "slow" : (KINDS[status] ?? (status < 500 ? "refused" : "broken"));
  const when = retryAfter ? strings.seconds(retryAfter) : strings.soon;
  return strings[kind].replace("{when}", when);
}

/** An error's explanation, and its technical reason once it is asked for. */
export function ErrorText({ error, strings }: { error: unknown; strings: ErrorStrings }): ReactNode {
  return (
    <>
      {explainError(error, strings)}
      <details className="ks-reason" data-radix-toast-announce-exclude="">
        <summary>{strings.details}</summary>
        <div>{describe(error)}</div>
      </details>
    </>
  );
}

function describe(error: unknown): string {
  if (!(error instanceof RequestError)) return String(error);
  const { message, code, status, details } = error;
  return `${[message, details].filter(Boolean).join(" ")} (${[code, status || ""].filter(Boolean).join(", ")})`;
}
