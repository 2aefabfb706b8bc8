/** A `fetch` that tries again where Keepsake says that the same request may succeed later. */

const RETRIED = new Set([429, 503]);

export interface RetryOptions {
  /** How often to try again after 429 and 503; 2 by default. */
  retries?: number | undefined;
  /** Milliseconds; the first wait without `Retry-After`, doubled each time. */
  baseDelay?: number | undefined;
  /** Milliseconds; where Keepsake asks for a longer wait, the refusal is returned at once. */
  maxDelay?: number | undefined;
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Make a `fetch` with these retries; waiting ends when the request is aborted. */
export function retryingFetch(options: RetryOptions = {}): (request: Request) => Promise<Response> {
  const { retries = 2, baseDelay = 250, maxDelay = 10_000, fetch = (request) => globalThis.fetch(request) } = options;
  return async (request) => {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries;
      const response = await fetch(isLast ? request : request.clone());
      if (isLast || !RETRIED.has(response.status)) return response;
      const delay = delayBefore(response, baseDelay * 2 ** attempt);
      if (delay > maxDelay) return response;
      await response.body?.cancel();
      await sleep(delay, request.signal);
    }
  };
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
