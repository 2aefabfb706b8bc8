/** What a call of Keepsake fails with. */
import type { ErrorCode } from "./contract/version.js";

/** Codes of failures that never reached Keepsake: no answer, none in time, one that is not Keepsake's. */
export type TransportCode = "unreachable" | "deadline_exceeded" | "unexpected_answer";

export interface KeepsakeErrorDetails {
  status?: number | undefined;
  details?: string | null | undefined;
  hint?: string | null | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** A refusal of Keepsake, or a failure to reach it; `code` is stable, `message` is for reading. */
export class KeepsakeError extends Error {
  override readonly name = "KeepsakeError";
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly details: string | null;
  readonly hint: string | null;
  /** The `x-request-id` of the answer, which is on every line that Keepsake logged for it. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode | TransportCode,
    message: string,
    more: KeepsakeErrorDetails = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = more.status ?? 0;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
    this.requestId = more.requestId;
    this.retryAfter = more.retryAfter;
  }
}

/** The error that a response with this body is. */
export function refusalOf(body: unknown, response: Response): KeepsakeError {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const more = {
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
  if (isProblem(body)) {
    return new KeepsakeError(body.code as ErrorCode, body.message, { ...more, details: body.details, hint: body.hint });
  }
  return new KeepsakeError("unexpected_answer", `Keepsake's address answered ${response.status}.`, more);
}

function isProblem(body: unknown): body is { code: string; message: string; details?: string; hint?: string } {
  return typeof body === "object" && body !== null && "code" in body && "message" in body;
}
