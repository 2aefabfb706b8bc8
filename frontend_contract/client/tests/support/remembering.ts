/** A scripted model with memory, as an application wires it. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { wrapLanguageModel } from "ai";
import { keepsakeMemory, type Injection, type KeepsakeMemoryOptions } from "../../src/ai-sdk";
import { keepsake, startConversation, tell, type Talk } from "./conversation";
import { scriptModel, type Script, type ScriptedModel } from "./model";

/** A scripted model with memory for one turn of a conversation, and everything that the middleware reported. */
export async function remembering(talk: Talk, script: Script, more: Partial<KeepsakeMemoryOptions> = {}) {
  const scripted = await scriptModel(script);
  const errors: [string, unknown][] = [];
  const injections: Injection[] = [];
  const memory = keepsakeMemory({
    keepsake,
    conversationId: talk.conversationId,
    userId: talk.userId,
    deadline: 60_000,
    onInjection: (injection) => injections.push(injection),
    onError: (error, stage) => errors.push([stage, error]),
    ...more,
  });
  const model = wrapLanguageModel({ model: providerOf(scripted), middleware: memory });
  return { scripted, memory, errors, injections, model };
}

export function providerOf({ url }: ScriptedModel) {
  return createOpenAICompatible({ name: "scripted", baseURL: url })("scripted");
}

export async function ramenLover(): Promise<Talk> {
  const ada = await startConversation("Ada");
  await tell(ada, "My favorite food is ramen.");
  return ada;
}
