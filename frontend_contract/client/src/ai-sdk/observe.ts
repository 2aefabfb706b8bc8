/** Watches a stream without touching it: every part goes on as it came, and the end is told once, however it comes. */

export interface Observer<Part> {
  onPart: (part: Part) => void;
  /** `isComplete` is false where the stream was aborted or failed. */
  onEnd: (isComplete: boolean) => void;
}

/** The same stream, observed; `signal` is the one that aborts the call. */
export function observe<Part>(
  stream: ReadableStream<Part>,
  observer: Observer<Part>,
  signal?: AbortSignal,
): ReadableStream<Part> {
  const reader = stream.getReader();
  let hasEnded = false;
  const abort = () => end(false);
  const end = (isComplete: boolean) => {
    if (hasEnded) return;
    hasEnded = true;
    signal?.removeEventListener("abort", abort);
    observer.onEnd(isComplete);
  };
  signal?.addEventListener("abort", abort, { once: true });
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            end(true);
            return;
          }
          if (!hasEnded) observer.onPart(value);
          controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          end(false);
        }
      },
      async cancel(reason) {
        end(false);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
