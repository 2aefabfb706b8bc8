import type { UIMessage } from "ai";

/** A message of the chat; an answer names the memories that the model was given. */
export type ChatMessage = UIMessage<{ memoryIds: string[] }>;
