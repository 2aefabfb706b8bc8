/** Reads the person's message from a prompt, and puts the context into it. */
import type { LanguageModelMiddleware } from "ai";

type CallOptions = Parameters<NonNullable<LanguageModelMiddleware["transformParams"]>>[0]["params"];
export type Prompt = CallOptions["prompt"];

/** What the person said last, and how often they have spoken; null where nobody has. */
export function lastUserMessage(prompt: Prompt): { text: string; count: number } | null {
  const messages = prompt.filter((message) => message.role === "user");
  const last = messages.at(-1);
  if (!last) return null;
  const texts = last.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return { text: texts.join("\n"), count: messages.length };
}

/** The prompt with the context as a system message of its own, after those of the host. */
export function withContext(prompt: Prompt, context: string): Prompt {
  const found = prompt.findIndex((message) => message.role !== "system");
  const at = found < 0 ? prompt.length : found;
  return [...prompt.slice(0, at), { role: "system", content: context }, ...prompt.slice(at)];
}
