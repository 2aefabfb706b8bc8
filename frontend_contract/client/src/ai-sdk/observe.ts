/** Watches a stream: every part goes on as it came, and the end is told once, however it comes. */

export interface Observer<Part> {
  onPart: (part: Part) => void;
  /** `isWhole` is false where the stream was aborted, left or cut off. */
  onEnd: (isWhole: boolean) => void;
}

/**
 * The same stream, observed; `signal` is the one that aborts the call.
 *
 * It is read to its end even where the reader stops: an application may leave a stream without a word to anybody, and
 * what the person has seen of it is saved all the same.
 */
export function observe<Part>(
  stream: ReadableStream<Part>,
  observer: Observer<Part>,
  signal?: AbortSignal,
): ReadableStream<Part> {
  const reader = stream.getReader();
  let hasEnded = false;
  let isLeft = false;
  const abort = () => end(false);
  const end = (isWhole: boolean) => {
    if (hasEnded) return;
    hasEnded = true;
    signal?.removeEventListener("abort", abort);
    observer.onEnd(isWhole);
  };
  const pump = async (controller: ReadableStreamDefaultController<Part>) => {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        if (!hasEnded) observer.onPart(next.value);
        if (!isLeft) controller.enqueue(next.value);
      }
      end(true);
      if (!isLeft) controller.close();
    } catch (error) {
      end(false);
      if (!isLeft) controller.error(error);
    }
  };
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return new ReadableStream<Part>({
    start(controller) {
      void pump(controller);
    },
    async cancel(reason) {
      isLeft = true;
      end(false);
      await reader.cancel(reason);
    },
  });
}
