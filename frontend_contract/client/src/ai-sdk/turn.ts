/** One message of a person and its answer: what Keepsake is asked before, and told after. */
import { KeepsakeError } from "../errors.js";
import { derivedId } from "./derivedId.js";
import type { Answer, Injection, KeepsakeMemoryOptions, MemoryStage } from "./types.js";

export const DEFAULT_DEADLINE = 1_000;

/** A turn begins when its message is known; nothing that it does throws, what fails is reported. */
export class Turn {
  /** The context that the model is given; null where there is none in time. */
  readonly injection: Promise<Injection | null>;
  private readonly messageId: Promise<string>;
  private readonly isSaved: Promise<boolean>;
  private text = "";
  private isAnswerSaved = false;
  private isMessageSent = false;

  constructor(
    private readonly options: KeepsakeMemoryOptions,
    private readonly userMessage: string,
  ) {
    this.messageId = this.chooseId();
    this.isSaved = options.messageId ? Promise.resolve(true) : this.saveMessage();
    this.injection = this.fetchInjection();
  }

  add(text: string): void {
    this.text += text;
  }

  /** Let the platform wait for work that follows the answer. */
  keepAlive(work: Promise<void>): void {
    try {
      this.options.waitUntil?.(work);
    } catch (error) {
      this.report(error, "wait_until");
    }
  }

  /** Tell Keepsake what was said; of an answer in several steps, `isLast` says whether more will come. */
  async finish({ isComplete, isLast }: { isComplete: boolean; isLast: boolean }): Promise<void> {
    if (!((await this.isSaved) || (await this.saveMessage()))) return;
    const isFirstTime = !this.isMessageSent;
    this.isMessageSent = true;
    await Promise.all([
      isFirstTime && this.messageId.then((id) => this.send(id)),
      isLast && this.text !== "" && !this.isAnswerSaved && this.finishAnswer({ text: this.text, isComplete }),
    ]);
  }

  private async finishAnswer(answer: Answer): Promise<void> {
    this.isAnswerSaved = true;
    const answerId = await this.attempt("save_answer", () => this.saveAnswer(answer));
    if (answerId === undefined) return;
    const injection = await this.injection;
    const injectionId = injection?.injection_id;
    await Promise.all([
      injectionId &&
        this.attempt("record_injection", () =>
          this.options.keepsake.recordInjection({ injection_id: injectionId, message_id: answerId }),
        ),
      this.send(answerId),
    ]);
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

  private async saveAnswer(answer: Answer): Promise<string | undefined> {
    const { keepsake, conversationId: conversation_id, saveAnswer } = this.options;
    if (saveAnswer) return saveAnswer(answer);
    const id = crypto.randomUUID();
    await keepsake.saveMessage({ id, conversation_id, user_id: null, role: "assistant", content: answer.text });
    return id;
  }

  private async send(messageId: string): Promise<void> {
    const body = { conversation_id: this.options.conversationId, message_id: messageId };
    await this.attempt("chat_send", () => this.options.keepsake.chatSend(body));
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
      const call = keepsake.injectMemory(body, { signal: late.signal, retries: 0 });
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
