/** Every function through the server client, against a running stack. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import openapi from "../../../openapi.json" with { type: "json" };
import { createFunctionsClient } from "../../src";
import { createKeepsake, KeepsakeError } from "../../src/server";
import { keepsake, messagesOf, startConversation, tell } from "../support/conversation";
import { stack } from "../support/stack";

it("has a method for each function", () => {
  const named = Object.keys(openapi.paths).map((path) => {
    const words = path.replace("/functions/v1/", "").replace(".json", "").split(/[-/]/);
    return words.map((word, index) => (index ? word.charAt(0).toUpperCase() + word.slice(1) : word)).join("");
  });
  expect(Object.keys(keepsake).sort()).toEqual([...named, "saveMessage"].sort());
});

it("remembers what a person says, and puts it before the next answer", async () => {
  const ada = await startConversation("Ada");
  await tell(ada, "My favorite food is ramen.");
  const asked = { conversation_id: ada.conversationId, user_id: ada.userId, user_message: "What is my favorite food?" };
  const injection = await keepsake.injectMemory(asked, { requestId: "from-a-test" });
  expect(injection.context).toContain("ramen");
  expect(injection.memories[0]?.ref).toMatch(/^M-\d+$/);

  const answerId = randomUUID();
  const answer = { id: answerId, conversation_id: ada.conversationId, user_id: null, role: "assistant" } as const;
  await keepsake.saveMessage({ ...answer, content: "Ramen!" });
  await keepsake.saveMessage({ ...answer, content: "Ramen!" });
  const linked = await keepsake.recordInjection({ injection_id: injection.injection_id ?? "", message_id: answerId });
  expect(linked.memory_ids).toEqual(injection.memory_ids);
  expect((await messagesOf(ada)).at(-1)?.meta?.injection_id).toBe(injection.injection_id);
  const sent = await keepsake.chatSend({ conversation_id: ada.conversationId, message_id: answerId });
  expect(["accepted", "ignored"]).toContain(sent.status);
});

it("calls a person's functions in their name", async () => {
  const ada = await startConversation("Ada");
  const { token } = ada;
  await tell(ada, "My favorite color is green.");
  const said = { action: "set_memory_enabled", conversation_id: ada.conversationId, memory_enabled: false } as const;
  expect((await keepsake.conversationManager(said, { token })).memory_enabled).toBe(false);

  const exported = await keepsake.exportMemories({}, { token });
  expect(exported.memories.length).toBeGreaterThan(0);
  const table = await keepsake.exportMemories({ format: "csv" }, { token });
  expect(table.split("\n")[0]).toContain("memory_text");

  const imported = await keepsake.importMemories(JSON.stringify(exported), { token });
  expect(imported.problems).toEqual([]);
  const erased = await keepsake.eraseMemories({ everything: true, confirm: "erase" }, { token });
  expect(erased.remaining?.["public.user_memory"]).toBe(0);
});

it("runs the jobs of cron", async () => {
  await keepsake.runDueJobs({ max_seconds: 1 });
  expect((await keepsake.archiveOldMemories({ max_seconds: 1 })).done).toBe(true);
  await keepsake.generateDailySummaries({ max_seconds: 1 });
  await keepsake.generateWeeklySummaries({ max_seconds: 1 }, { backfill: { year: 2024, week: 43 } });
  await keepsake.generateMonthlySummaries({ max_seconds: 1 }, { backfill: { year: 2024, month: 10 } });
});

it("reads what operators read", async () => {
  expect((await keepsake.health({ ready: true })).status).toBe("ok");
  expect(await keepsake.metrics()).toContain("keepsake_");
  expect(JSON.parse(await keepsake.openapi())).toEqual(openapi);
  expect(await keepsake.manageUserMemorySchema()).toHaveProperty("function");
});

it("throws a refusal with its code, its details and the id of the request", async () => {
  const refused = keepsake.injectMemory({ conversation_id: "no uuid" }, { requestId: "from-a-test" });
  const error = await refused.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KeepsakeError);
  expect(error).toMatchObject({ code: "invalid_input", status: 400, requestId: "from-a-test" });
  expect((error as KeepsakeError).details).toContain("conversation_id");
});

it("is refused with another key", async () => {
  const stranger = createKeepsake({ ...stack, secretKey: "sb_secret_of_somebody_else" });
  await expect(stranger.metrics()).rejects.toMatchObject({ code: "unauthenticated", status: 401 });
});

it("finds the functions where functionsUrl says", async () => {
  const elsewhere = createKeepsake({ ...stack, url: "http://127.0.0.1:1", functionsUrl: `${stack.url}/functions/v1` });
  expect((await elsewhere.health()).status).toBe("ok");
});

it("is typed for browsers as well, by openapi-fetch", async () => {
  const ada = await startConversation("Ada");
  const client = createFunctionsClient({ ...stack, headers: { authorization: `Bearer ${ada.token}` } });
  const body = { action: "set_memory_enabled", conversation_id: ada.conversationId, memory_enabled: true } as const;
  const { data, error } = await client.POST("/conversation-manager", { body });
  expect(error).toBeUndefined();
  expect(data?.memory_enabled).toBe(true);
  const refused = await client.POST("/conversation-manager", { body: { ...body, conversation_id: randomUUID() } });
  expect(refused.error).toMatchObject({ code: "not_found" });
  expect(refused.error?.error).toBe(refused.error?.message);
});
