/** `keepsakeMemory`: gives a model its memories before it answers, and tells Keepsake what was said after. */
import type { LanguageModelMiddleware } from "ai";
import { observe } from "./observe.js";
import { lastUserMessage, withContext, type Prompt } from "./prompt.js";
import { Turn } from "./turn.js";
import type { KeepsakeMemoryOptions } from "./types.js";

export interface KeepsakeMemory extends LanguageModelMiddleware {
  /** Resolves when everything that follows the answers so far is done; never rejects. */
  settled(): Promise<void>;
}

/**
 * Create the middleware for one conversation, usually once a request.
 *
 * The answer never waits longer than the deadline, and never fails because of Keepsake. Calls of a turn that executes
 * tools share one context; its answer is what the last call says. Throws nothing.
 */
export function keepsakeMemory(options: KeepsakeMemoryOptions): KeepsakeMemory {
  const pending = new Set<Promise<void>>();
  let present: { key: string; turn: Turn } | null = null;

  /** The turn that a prompt belongs to; each new message of the person begins one. */
  const turnOf = (prompt: Prompt): Turn | null => {
    const said = lastUserMessage(prompt);
    if (!said) return null;
    const key = `${said.count} ${said.text}`;
    if (present?.key !== key) present = { key, turn: new Turn(options, said.text) };
    return present.turn;
  };
  const finish = (turn: Turn | null, isComplete: boolean, isLast: boolean) => {
    if (!turn) return;
    const work = turn.finish({ isComplete, isLast });
    pending.add(work);
    void work.finally(() => pending.delete(work));
    turn.keepAlive(work);
  };
  /** The AI SDK repeats a call that it may repeat; the answer is not over then. */
  const fail = (turn: Turn | null, error: unknown, signal: AbortSignal | undefined) => {
    const mayBeRepeated = (error as { isRetryable?: unknown } | null)?.isRetryable === true;
    finish(turn, false, signal?.aborted === true || !mayBeRepeated);
  };

  return {
    specificationVersion: "v4",

    async transformParams({ params }) {
      const injection = await turnOf(params.prompt)?.injection;
      return injection?.context ? { ...params, prompt: withContext(params.prompt, injection.context) } : params;
    },

    async wrapGenerate({ doGenerate, params }) {
      const turn = turnOf(params.prompt);
      try {
        const result = await doGenerate();
        for (const part of result.content) if (part.type === "text") turn?.add(part.text);
        finish(turn, true, result.finishReason.unified !== "tool-calls");
        return result;
      } catch (error) {
        fail(turn, error, params.abortSignal);
        throw error;
      }
    },

    async wrapStream({ doStream, params }) {
      const turn = turnOf(params.prompt);
      let finishReason: string | undefined;
      let hasFailed = false;
      try {
        const result = await doStream();
        const observer = {
          onPart: (part: StreamPart) => {
            if (part.type === "text-delta") turn?.add(part.delta);
            else if (part.type === "finish") finishReason = part.finishReason.unified;
            else if (part.type === "error") hasFailed = true;
          },
          onEnd: (isComplete: boolean) => finish(turn, isComplete && !hasFailed, finishReason !== "tool-calls"),
        };
        return { ...result, stream: observe(result.stream, observer, params.abortSignal) };
      } catch (error) {
        fail(turn, error, params.abortSignal);
        throw error;
      }
    },

    async settled() {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
  };
}

type StreamResult = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapStream"]>>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;
