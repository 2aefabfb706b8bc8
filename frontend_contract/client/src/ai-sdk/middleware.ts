/** `keepsakeMemory`: gives a model its memories before it answers, and tells Keepsake what was said after. */
import type { LanguageModelMiddleware } from "ai";
import { observe } from "./observe.js";
import { readPrompt, withContext, type Prompt } from "./prompt.js";
import { Turns, type Call } from "./turns.js";
import type { KeepsakeMemoryOptions } from "./types.js";

export interface KeepsakeMemory extends LanguageModelMiddleware {
  /** Say that the request is over: resolves when the answers under way, and what follows them, are done; never rejects. */
  settled(): Promise<void>;
}

/**
 * Create the middleware for one message of a conversation, so one for each request.
 *
 * The answer never waits longer than the deadline, and never fails because of Keepsake. Calls of a turn that executes
 * tools share one context, and their texts are one answer. A call with a prompt of another conversation throws.
 */
export function keepsakeMemory(options: KeepsakeMemoryOptions): KeepsakeMemory {
  /** What follows answers. */
  const pending = new Set<Promise<void>>();
  /** Calls whose context is awaited, or whose answer is. */
  const underWay = new Set<Promise<void>>();
  const turns = new Turns(options);
  const calls = new WeakMap<object, Call | null>();

  /** The call that these parameters are of, which `transformParams` has begun. */
  const callOf = (params: { prompt: Prompt; abortSignal?: AbortSignal | undefined }): Call | null => {
    const known = calls.get(params);
    if (known !== undefined) return known;
    const said = readPrompt(params.prompt);
    const call = said && turns.begin(said);
    params.abortSignal?.addEventListener("abort", () => call?.turn.close(), { once: true });
    return call;
  };
  /** Note that a call is under way, until the function that is returned is called. */
  const noteUnderWay = (): (() => void) => {
    let resolve = () => {};
    const work = new Promise<void>((done) => (resolve = done));
    underWay.add(work);
    return () => {
      underWay.delete(work);
      resolve();
    };
  };
  const finish = (call: Call | null, state: "ended" | "waits" | "failed", isComplete: boolean) => {
    if (!call) return;
    call.step.state = state;
    const work = call.turn.tell(isComplete);
    pending.add(work);
    void work.finally(() => pending.delete(work));
    call.turn.keepAlive(work);
  };
  /** A step that calls a tool of the application may be followed by another, or be the last one of the turn. */
  const endStep = (call: Call | null, reason: string | undefined) => {
    const isLast = reason !== "tool-calls" && call?.step.toolCallIds.length === 0;
    finish(call, isLast ? "ended" : "waits", isLast);
  };
  /** The AI SDK repeats a call that it may repeat; the answer is not over then. */
  const fail = (call: Call | null, error: unknown, signal: AbortSignal | undefined) => {
    const mayBeRepeated = (error as { isRetryable?: unknown } | null)?.isRetryable === true && signal?.aborted !== true;
    finish(call, mayBeRepeated ? "failed" : "ended", false);
  };

  return {
    specificationVersion: "v4",

    async transformParams({ params }) {
      const call = callOf(params);
      const noteEnd = noteUnderWay();
      const injection = await call?.turn.injection;
      noteEnd();
      const prompt = injection?.context ? withContext(params.prompt, injection.context) : params.prompt;
      const transformed = { ...params, prompt };
      calls.set(transformed, call);
      return transformed;
    },

    async wrapGenerate({ doGenerate, params }) {
      const call = callOf(params);
      const noteEnd = noteUnderWay();
      try {
        const result = await doGenerate();
        for (const part of result.content) {
          if (part.type === "text") call?.step.add(part.text);
          else if (part.type === "tool-call") call?.step.noteToolCall(part);
        }
        endStep(call, reasonOf(result.finishReason));
        return result;
      } catch (error) {
        fail(call, error, params.abortSignal);
        throw error;
      } finally {
        noteEnd();
      }
    },

    async wrapStream({ doStream, params }) {
      const call = callOf(params);
      let reason: string | undefined;
      let hasFailed = false;
      const noteEnd = noteUnderWay();
      try {
        const result = await doStream();
        const observer = {
          onPart: (part: StreamPart) => {
            if (part.type === "text-delta") call?.step.add(part.delta);
            else if (part.type === "tool-call") call?.step.noteToolCall(part);
            else if (part.type === "finish") reason = reasonOf(part.finishReason);
            else if (part.type === "error") hasFailed = true;
          },
          onEnd: (isWhole: boolean) => {
            if (!isWhole) finish(call, "ended", false);
            else if (hasFailed) finish(call, "failed", false);
            else endStep(call, reason);
            noteEnd();
          },
        };
        return { ...result, stream: observe(result.stream, observer, params.abortSignal) };
      } catch (error) {
        fail(call, error, params.abortSignal);
        noteEnd();
        throw error;
      }
    },

    async settled() {
      do {
        if (underWay.size === 0) turns.close();
        await Promise.allSettled([...underWay, ...pending]);
        // A call whose context has just come is answered from now on.
        await new Promise((resolve) => setTimeout(resolve));
      } while (underWay.size + pending.size > 0);
    },
  };
}

/** Why the model stopped: a word in version 5 of the AI SDK, an object with that word in later ones. */
function reasonOf(finishReason: unknown): string | undefined {
  if (typeof finishReason === "string") return finishReason;
  return (finishReason as { unified?: string } | undefined)?.unified;
}

type StreamResult = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapStream"]>>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;
