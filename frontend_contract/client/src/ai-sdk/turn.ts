/** One message of a person and its answer: what Keepsake is asked before, and told after. */
import { KeepsakeError } from "../errors.js";
import { HostAnswer, OwnAnswer, type AnswerSaver } from "./answer.js";
import { derivedId } from "./derivedId.js";
import type { EarlierSteps, Said } from "./prompt.js";
import { Steps, type Step } from "./steps.js";
import type { Injection, KeepsakeMemoryOptions, MemoryStage } from "./types.js";

export const DEFAULT_DEADLINE = 1_000;

/** A turn begins when its message is known; nothing that it does throws, what fails is reported. */
export class Turn {
  readonly steps: Steps;
  /** The context that the model is given; null where there is none in time. */
  readonly injection: Promise<Injection | null>;
  private readonly userMessage: string;
  private readonly messageId: Promise<string>;
  private readonly isSaved: Promise<boolean>;
  private readonly answer: AnswerSaver;
  /** Whether an earlier request has begun this turn, as before a tool that ran in the browser. */
  private readonly isContinued: boolean;
  private readonly sent = new Set<string>();
  private readonly linked = new Set<string>();
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: KeepsakeMemoryOptions,
    readonly said: Said,
  ) {
    this.userMessage = said.messages.at(-1) ?? "";
    // Without an id that both requests share, this one has a message and an answer of its own.
    this.isContinued = said.earlierSteps !== null && Boolean(options.messageId ?? options.uiMessageId);
    this.steps = new Steps(this.isContinued ? (said.earlierSteps?.text ?? "") : "");
    this.messageId = this.chooseId();
    this.answer = options.saveAnswer
      ? new HostAnswer(options.saveAnswer, this.steps)
      : new OwnAnswer(options, this.steps, this.messageId);
    this.isSaved = options.messageId ? Promise.resolve(true) : this.saveMessage();
    this.injection = this.fetchInjection();
  }

  /** Begin a step of the answer. */
  begin(before: EarlierSteps | null): Step {
    this.answer.goOn();
    return this.steps.begin(before);
  }

  /** Let the platform wait for work that follows the answer. */
  keepAlive(work: Promise<void>): void {
    try {
      this.options.waitUntil?.(work);
    } catch (error) {
      this.report(error, "wait_until");
    }
  }

  /** Tell Keepsake what was said until now, after everything that it is being told already. */
  tell(isComplete: boolean): Promise<void> {
    const work = this.work.then(() => this.tellNow(isComplete));
    this.work = work;
    return work;
  }

  /** No other step will follow. */
  close(): void {
    this.answer.close();
  }

  private async tellNow(isComplete: boolean): Promise<void> {
    if (!((await this.isSaved) || (await this.saveMessage()))) return;
    await Promise.all([this.sendMessage(), this.tellAnswer(isComplete)]);
  }

  private async sendMessage(): Promise<void> {
    if (!this.isContinued) await this.send(await this.messageId);
  }

  private async tellAnswer(isComplete: boolean): Promise<void> {
    const answerId = await this.attempt("save_answer", () => this.answer.save(isComplete));
    if (answerId === undefined) return;
    await Promise.all([this.link(answerId), !this.answer.isContinued && this.send(answerId)]);
  }

  private async link(message_id: string): Promise<void> {
    const injection_id = (await this.injection)?.injection_id;
    if (!injection_id || this.linked.has(message_id)) return;
    await this.attempt("record_injection", async () => {
      await this.options.keepsake.recordInjection({ injection_id, message_id });
      this.linked.add(message_id);
    });
  }

  /** An id made of the author and the words too: neither an edited message nor another person's is taken for this one. */
  private async chooseId(): Promise<string> {
    const { messageId, uiMessageId, conversationId, userId } = this.options;
    if (messageId) return messageId;
    if (!uiMessageId) return crypto.randomUUID();
    return derivedId(JSON.stringify([conversationId, userId, uiMessageId, this.userMessage]));
  }

  private async saveMessage(): Promise<boolean> {
    const { keepsake, conversationId: conversation_id, userId } = this.options;
    const message = { id: await this.messageId, conversation_id, role: "user", content: this.userMessage } as const;
    return (
      (await this.attempt("save_message", async () => {
        if (!userId) throw new TypeError("keepsakeMemory needs messageId, or userId to save the message itself.");
        await keepsake.saveMessage({ ...message, user_id: userId });
        return true;
      })) ?? false
    );
  }

  /** Once for each message, unless it has failed. */
  private async send(message_id: string): Promise<void> {
    if (this.sent.has(message_id)) return;
    await this.attempt("chat_send", async () => {
      await this.options.keepsake.chatSend({ conversation_id: this.options.conversationId, message_id });
      this.sent.add(message_id);
    });
  }

  /** The deadline holds for everything before the answer, saving the message included; saving goes on after it. */
  private async fetchInjection(): Promise<Injection | null> {
    const { keepsake, conversationId, userName, deadline = DEFAULT_DEADLINE, onInjection } = this.options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), deadline);
    const injection = await this.attempt("inject_memory", async () => {
      const isSaved = await Promise.race([this.isSaved, untilAborted(late.signal)]);
      if (!isSaved) return undefined; // which has been reported
      const body = {
        conversation_id: conversationId,
        message_id: await this.messageId,
        ...(userName && { user_name: userName }),
      };
      const call = keepsake.injectMemory(body, { signal: late.signal, retries: 1 });
      const found = await Promise.race([call, untilAborted(late.signal)]);
      onInjection?.(found);
      return found;
    });
    clearTimeout(timer);
    return injection ?? null;
  }

  private async attempt<Result>(stage: MemoryStage, act: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act();
    } catch (error) {
      this.report(error, stage);
      return undefined;
    }
  }

  private report(error: unknown, stage: MemoryStage): void {
    try {
      (this.options.onError ?? warn)(error, stage);
    } catch (failure) {
      console.error("keepsakeMemory: onError itself failed.", failure);
    }
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new KeepsakeError("deadline_exceeded", "The memories did not arrive in time."));
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail, { once: true });
  });
}

function warn(error: unknown, stage: MemoryStage): void {
  console.warn(`keepsakeMemory: ${stage}: ${error instanceof Error ? error.message : String(error)}`);
}
