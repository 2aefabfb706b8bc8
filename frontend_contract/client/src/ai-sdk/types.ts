/** What the middleware is given, and what it tells its caller. */
import type { components } from "../contract/functions.types.js";
import type { Keepsake } from "../server/types.js";

/** The answer of `inject-memory`: the context, and the memories it is made of. */
export type Injection = components["schemas"]["InjectMemoryResponse"];

/** What the middleware was about to do when something failed. */
export type MemoryStage = "save_message" | "inject_memory" | "save_answer" | "record_injection" | "chat_send" | "wait_until";

/** What the model answered; of an answer that was aborted, failed or ended with a tool call, what had arrived. */
export interface Answer {
  text: string;
  /** Whether the model came to its end. */
  isComplete: boolean;
}

export interface KeepsakeMemoryOptions {
  keepsake: Keepsake;
  conversationId: string;
  /** Who wrote the message. Needed unless `messageId` is given: then the middleware saves the message. */
  userId?: string;
  /** The id of the person's message, where the host has saved it before it asks the model. */
  messageId?: string;
  /** The id that the application gives the message, where the middleware saves it: a request that comes again, as after a
   * tool of the browser or for another answer, saves the same message once. */
  uiMessageId?: string | undefined;
  /** Where the host saves answers itself: saves it and returns its id; without it, the middleware saves it. Where an answer
   * goes on after it was given, as after a tool that takes long, this is called again with the rest. */
  saveAnswer?: (answer: Answer) => Promise<string | undefined>;
  /** How the host names the person to the model. */
  userName?: string;
  /** Milliseconds that the model may wait for its memories; then it answers without. 1,000 by default. */
  deadline?: number;
  /** Called with what the model is given, for example to show which memories were used. */
  onInjection?: (injection: Injection) => void;
  /** Called when Keepsake is not available or refuses; the answer goes on. By default a line in the console. */
  onError?: (error: unknown, stage: MemoryStage) => void;
  /** Keeps an edge or serverless function alive until what follows the answer is done: `after` of Next.js. */
  waitUntil?: (work: Promise<void>) => void;
}
