/** Reads what was said from a prompt, and puts the context into it. */
import type { LanguageModelMiddleware } from "ai";

type CallOptions = Parameters<NonNullable<LanguageModelMiddleware["transformParams"]>>[0]["params"];
export type Prompt = CallOptions["prompt"];

/** The part of an answer that the prompt already has: what the model said in earlier steps of the turn. */
export interface EarlierSteps {
  text: string;
  toolCallIds: readonly string[];
}

/** The messages of the person, oldest first, and what came after the last one. */
export interface Said {
  messages: readonly string[];
  /** Null where the last message is still unanswered: then the prompt begins a turn, or repeats its beginning. */
  earlierSteps: EarlierSteps | null;
}

/** What a prompt says; null where no person has said anything. */
export function readPrompt(prompt: Prompt): Said | null {
  const messages = prompt.flatMap((message) => (message.role === "user" ? [textOf(message.content)] : []));
  if (messages.length === 0) return null;
  const after = prompt.slice(prompt.findLastIndex((message) => message.role === "user") + 1);
  const answers = after.filter((message) => message.role === "assistant");
  const toolCallIds = answers.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])),
  );
  const text = answers.map(({ content }) => textOf(content, "")).join("");
  const hasSteps = after.some((message) => message.role === "assistant" || message.role === "tool");
  return { messages, earlierSteps: hasSteps ? { text, toolCallIds } : null };
}

/** The prompt with the context as a system message of its own, after those of the host. */
export function withContext(prompt: Prompt, context: string): Prompt {
  const found = prompt.findIndex((message) => message.role !== "system");
  const at = found < 0 ? prompt.length : found;
  return [...prompt.slice(0, at), { role: "system", content: context }, ...prompt.slice(at)];
}

function textOf(content: readonly { type: string; text?: unknown }[], separator = "\n"): string {
  return content.flatMap((part) => (part.type === "text" ? [String(part.text)] : [])).join(separator);
}
