/** Errors of requests: one class, with the stable code of PostgREST or of a function. */

export class RequestError extends Error {
  override readonly name = "RequestError";
  constructor(
    message: string,
    readonly code: string,
    /** The HTTP status; 0 where there was no answer. */
    readonly status: number,
    readonly details: string | null = null,
    /** Seconds after which the same request may succeed, where the server said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

interface Result<T> {
  data: T | null;
  error: { message: string; code?: string; details?: string | null } | null;
  status?: number;
}

/** Where nothing that the person does is wrong: no answer, no valid sign-in, too many requests, a server in trouble. */
const UNAVAILABLE: ReadonlySet<number> = new Set([0, 401, 429, 502, 503, 504]);

/** Whether an error says that the server cannot be used at present. */
export function isUnavailable(error: unknown): error is RequestError {
  return error instanceof RequestError && UNAVAILABLE.has(error.status);
}

/** The error of a request that got no answer. */
export function unreachable(error: unknown): RequestError {
  return new RequestError(String(error), "unreachable", 0);
}

/** Return the data of a PostgREST result, or throw a RequestError. */
export function unwrap<T>(result: Result<T>): T {
  if (result.error) {
    const { message, code, details = null } = result.error;
    if (!result.status) throw unreachable(message); // whose details are a stack trace
    throw new RequestError(message, code ?? "", result.status, details);
  }
  return result.data as T;
}

/** Send a request and return its answer if it is a success, or throw a RequestError. */
export async function request(url: string, init?: RequestInit, accepted: readonly number[] = []): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (response.ok || accepted.includes(response.status)) return response;
  const body = (await response.json().catch(() => ({}))) as { message?: string; code?: string; details?: string };
  throw new RequestError(
    body.message ?? response.statusText,
    body.code ?? "internal_error",
    response.status,
    body.details ?? null,
    Number(response.headers.get("retry-after")) || null,
  );
}
