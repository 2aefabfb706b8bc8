/** The examples answer with memory, against a running stack and a scripted model. */
import { expect, it, vi } from "vitest";
import { createChat } from "../examples/fetch/chat";
import { authorOf } from "../examples/nextjs/lib/author";
import { messagesOf, startConversation, tell, type Talk } from "./support/conversation";
import { scriptModel, systemOf, type ScriptedModel } from "./support/model";
import { insert, stack } from "./support/stack";

const QUESTION = "What is my favorite food?";

/** A person who loves ramen, and a model that says so; the environment is that of a deployed backend. */
async function scene(): Promise<{ ada: Talk; model: ScriptedModel }> {
  const ada = await startConversation("Ada");
  await tell(ada, "My favorite food is ramen.");
  const model = await scriptModel(() => ["You love ", "ramen."]);
  vi.stubEnv("OPENAI_BASE_URL", model.url);
  vi.stubEnv("OPENAI_MODEL", "scripted");
  vi.stubEnv("SUPABASE_URL", stack.url);
  vi.stubEnv("SUPABASE_SECRET_KEY", stack.secretKey);
  vi.stubEnv("SUPABASE_PUBLISHABLE_KEY", stack.publishableKey);
  vi.resetModules();
  return { ada, model };
}

function requestOf({ token }: Talk, body: unknown): Request {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return new Request("http://host/api/chat", { method: "POST", headers, body: JSON.stringify(body) });
}

async function expectAnswerWithMemory(ada: Talk, model: ScriptedModel): Promise<void> {
  expect(systemOf(model.requests[0])).toContain("ramen");
  await expect.poll(async () => (await messagesOf(ada)).at(-1)?.meta?.injection_id, { timeout: 60_000 }).toBeTruthy();
  expect((await messagesOf(ada)).at(-1)).toMatchObject({ role: "assistant", content: "You love ramen." });
}

it("answers with memory in a route of Next.js", async () => {
  const { ada, model } = await scene();
  const { POST } = await import("../examples/nextjs/app/api/chat/route");
  const messages = [{ id: "1", role: "user", parts: [{ type: "text", text: QUESTION }] }];
  const answer = await POST(requestOf(ada, { messages, conversationId: ada.conversationId }));
  const events = (await answer.text()).split("\n").filter((line) => line.startsWith("data: {"));
  const deltas = events.map((line) => JSON.parse(line.slice(6)) as { delta?: string });
  expect(deltas.map((event) => event.delta ?? "").join("")).toBe("You love ramen.");
  await expectAnswerWithMemory(ada, model);
});

it("answers with memory in a plain backend", async () => {
  const { ada, model } = await scene();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const chat = createChat({ ...stack, model: { url: model.url, key: "", name: "scripted" }, authorOf, onError });
  const answer = await chat(requestOf(ada, { conversationId: ada.conversationId, text: QUESTION }));
  expect(await answer.text()).toBe("You love ramen.");
  await expectAnswerWithMemory(ada, model);
  expect(errors).toEqual([]);
});

it("refuses a person in another's conversation", async () => {
  const { ada, model } = await scene();
  const eve = await startConversation("Eve");
  const { POST } = await import("../examples/nextjs/app/api/chat/route");
  const answer = await POST(requestOf(eve, { messages: [], conversationId: ada.conversationId }));
  expect(answer.status).toBe(404);
  expect(model.requests).toEqual([]);
});

it("names who asks, and nobody else whom they may see in the conversation", async () => {
  const { ada } = await scene();
  const [bob, eve] = [await startConversation("Bob"), await startConversation("Eve")];
  await insert("conversations_participants", { conversation_id: ada.conversationId, user_id: bob.userId });
  const ask = (person: Talk) => authorOf(requestOf(person, {}), ada.conversationId);
  expect(await Promise.all([ask(ada), ask(bob), ask(eve)])).toEqual([ada.userId, bob.userId, null]);
  expect(await authorOf(requestOf({ ...bob, token: "none" }, {}), ada.conversationId)).toBeNull();
});
