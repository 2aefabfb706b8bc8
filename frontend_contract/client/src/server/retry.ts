/** A `fetch` that tries again where the same request may succeed later: as Keepsake says, or after a passing fault of a gateway. */

const RETRIED = new Set([429, 503]);
const GATEWAY_FAULTS = new Set([502, 504]);
/** PostgREST finds the time of a token that the gateway has just made to lie ahead of its own clock. */
const TOKEN_OF_THE_FUTURE = "PGRST303";
const NEVER_REPEATED = new Set(["statement_timeout"]);
/** Milliseconds before a request is repeated after a fault that passes at once. */
const SHORT_WAIT = 200;
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

export interface RetryOptions {
  /** How often to try again after 429 and 503; 2 by default. */
  retries?: number | undefined;
  /** Milliseconds; the first wait without `Retry-After`, doubled each time. */
  baseDelay?: number | undefined;
  /** Milliseconds; where Keepsake asks for a longer wait, the refusal is returned at once. */
  maxDelay?: number | undefined;
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

interface FetchOptions extends RetryOptions {
  /** False where the request may have been carried out although its answer was lost, and must not be carried out again. */
  isRepeatable?: boolean | undefined;
}

/**
 * Make a `fetch` with these retries; waiting ends when the request is aborted.
 *
 * A lost connection, 502, 504 and a token that is not valid yet are repeated once within a second, whatever `retries` is.
 */
export function retryingFetch(options: FetchOptions = {}): (request: Request) => Promise<Response> {
  const { retries = 2, baseDelay = 250, maxDelay = 10_000, isRepeatable = true } = options;
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  return async (request) => {
    let isRepeated = false;
    for (let attempt = 0; ; ) {
      const mayBeLost = !isRepeated && isRepeatable;
      let response: Response;
      try {
        response = await read(await fetch(request.clone()));
      } catch (error) {
        if (!mayBeLost || request.signal.aborted || isAbort(error)) throw error;
        isRepeated = true;
        await sleep(shortWait(), request.signal);
        continue;
      }
      if (!isRepeated && (await isPassingFault(response, isRepeatable))) {
        isRepeated = true;
        await sleep(shortWait(), request.signal);
        continue;
      }
      if (attempt >= retries || !RETRIED.has(response.status)) return response;
      const delay = delayBefore(response, baseDelay * 2 ** attempt);
      if (delay > maxDelay) return response;
      attempt += 1;
      await sleep(delay, request.signal);
    }
  };
}

/** The response with its whole body: a connection may be lost in the middle of it. */
async function read(response: Response): Promise<Response> {
  if (WITHOUT_BODY.has(response.status)) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

/** Whether a gateway failed for a moment; a token that is not valid yet was refused before anything was done. */
async function isPassingFault(response: Response, isRepeatable: boolean): Promise<boolean> {
  const { status } = response;
  if (status === 401) return (await codeOf(response)) === TOKEN_OF_THE_FUTURE;
  if (!isRepeatable || !GATEWAY_FAULTS.has(status)) return false;
  return !NEVER_REPEATED.has((await codeOf(response)) ?? "");
}

async function codeOf(response: Response): Promise<string | undefined> {
  try {
    const body = (await response.clone().json()) as { code?: string } | null;
    return body?.code;
  } catch {
    return undefined; // the page of a proxy
  }
}

function isAbort(error: unknown): boolean {
  const name = (error as { name?: unknown } | null)?.name;
  return name === "AbortError" || name === "TimeoutError";
}

function shortWait(): number {
  return SHORT_WAIT + Math.random() * SHORT_WAIT;
}

/** What Keepsake asks for and up to a backoff more, so that callers who were refused together do not return together. */
function delayBefore(response: Response, backoff: number): number {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return (Number.isFinite(seconds) ? seconds * 1000 : backoff / 2) + (Math.random() * backoff) / 2;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  });
}
