/** The answer of a turn: saved once however the turn ends, and linked to the memories that it was given. */
import { derivedId } from "./derivedId.js";
import type { Steps } from "./steps.js";
import type { Answer, KeepsakeMemoryOptions } from "./types.js";

/** How long an answer that a tool call has ended waits for another step before the host is given it. */
const HOST_PATIENCE = 5_000;

export interface AnswerSaver {
  /** Whether an earlier request has begun this answer, and told Keepsake of it. */
  readonly isContinued: boolean;
  /** Save what the steps have said so far; the id of the row, or undefined where there is nothing new. */
  save(isComplete: boolean): Promise<string | undefined>;
  /** Another step begins: what waits for it goes on waiting. */
  goOn(): void;
  /** Nothing more will come. */
  close(): void;
}

/**
 * Saves the answer as one row, which grows with each step: so nothing is lost where no other step follows.
 *
 * Its id is made of that of the message, so that a request that comes again, or goes on after a tool of the browser,
 * writes the same row.
 */
export class OwnAnswer implements AnswerSaver {
  readonly isContinued: boolean;
  private saved: string;

  constructor(
    private readonly options: KeepsakeMemoryOptions,
    private readonly steps: Steps,
    private readonly messageId: Promise<string>,
  ) {
    this.saved = steps.text;
    this.isContinued = steps.text !== "";
  }

  async save(): Promise<string | undefined> {
    const content = this.steps.text;
    if (content === "" || content === this.saved) return undefined;
    const { keepsake, conversationId: conversation_id } = this.options;
    const id = await derivedId(JSON.stringify(["answer", await this.messageId]));
    const row = { id, conversation_id, user_id: null, role: "assistant", content } as const;
    await inOrder(id, () => keepsake.saveMessage(row, { replace: true }));
    this.saved = content;
    return id;
  }

  goOn(): void {}
  close(): void {}
}

/** Gives the host what is new, once it is known, or likely, that no other step follows. */
export class HostAnswer implements AnswerSaver {
  readonly isContinued = false;
  private given = 0;
  private isClosed = false;
  private stopWaiting: (isOver: boolean) => void = () => {};

  constructor(
    private readonly saveAnswer: (answer: Answer) => Promise<string | undefined>,
    private readonly steps: Steps,
  ) {}

  async save(isComplete: boolean): Promise<string | undefined> {
    if (this.steps.mayGoOn && !(await this.isOver())) return undefined;
    const text = this.steps.said.slice(this.given);
    if (text === "") return undefined;
    this.given += text.length;
    return this.saveAnswer({ text, isComplete });
  }

  goOn(): void {
    this.isClosed = false;
    this.stopWaiting(false);
  }

  close(): void {
    this.isClosed = true;
    this.stopWaiting(true);
  }

  private async isOver(): Promise<boolean> {
    if (this.isClosed || this.steps.isRunning) return this.isClosed;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.stopWaiting(true), HOST_PATIENCE);
      this.stopWaiting = (isOver) => {
        clearTimeout(timer);
        resolve(isOver);
      };
    });
  }
}

const writing = new Map<string, Promise<void>>();

/** Writes of one row follow each other, of several requests of this process too: the last one wins. */
async function inOrder(id: string, write: () => Promise<void>): Promise<void> {
  const work = (writing.get(id) ?? Promise.resolve()).catch(() => {}).then(write);
  writing.set(id, work);
  try {
    await work;
  } finally {
    if (writing.get(id) === work) writing.delete(id);
  }
}
