/** Errors of requests: one class, with the stable code of PostgREST or of a function. */

export class RequestError extends Error {
  override readonly name = "RequestError";
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly details: string | null = null,
  ) {
    super(message);
  }
}

interface Result<T> {
  data: T | null;
  error: { message: string; code?: string; details?: string | null } | null;
  status?: number;
}

/** Return the data of a PostgREST result, or throw a RequestError. */
export function unwrap<T>(result: Result<T>): T {
  if (result.error) {
    const { message, code, details } = result.error;
    throw new RequestError(message, code || "unreachable", result.status ?? 0, details ?? null);
  }
  return result.data as T;
}

/** Return the response if it is a success, or throw the RequestError that its body describes. */
export async function requireSuccess(response: Response, accepted: readonly number[] = []): Promise<Response> {
  if (response.ok || accepted.includes(response.status)) return response;
  const body = (await response.json().catch(() => ({}))) as { message?: string; code?: string; details?: string };
  throw new RequestError(
    body.message ?? response.statusText,
    body.code ?? "internal_error",
    response.status,
    body.details ?? null,
  );
}
