/** The middleware around a scripted model, against a running stack. */
import { generateText, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { z } from "zod";
import { createKeepsake } from "../../src/server";
import { keepsake, messagesOf, startConversation } from "../support/conversation";
import { serve, textOf } from "../support/http";
import { scriptModel, systemOf, type Script } from "../support/model";
import { providerOf, ramenLover, remembering } from "../support/remembering";
import { stack } from "../support/stack";

const QUESTION = "What is my favorite food?";

function* words() {
  yield* ["Your ", "favorite ", "is ", "ramen."];
}

it("gives a streamed answer its memories, saves both messages, and links the injection to the answer", async () => {
  const ada = await ramenLover();
  const { model, memory, scripted, errors, injections } = await remembering(ada, words);
  const result = streamText({ model, instructions: "Be brief.", prompt: QUESTION });
  expect(await result.text).toBe("Your favorite is ramen.");
  await memory.settled();

  expect(errors).toEqual([]);
  expect(scripted.requests[0]?.messages.map((message) => message.role)).toEqual(["system", "system", "user"]);
  expect(systemOf(scripted.requests[0])).toContain("Be brief.");
  expect(systemOf(scripted.requests[0])).toContain("ramen");
  const [, question, answer] = await messagesOf(ada);
  expect([question?.role, question?.content]).toEqual(["user", QUESTION]);
  expect([answer?.role, answer?.content]).toEqual(["assistant", "Your favorite is ramen."]);
  expect(answer?.meta?.injection_id).toBe(injections[0]?.injection_id);
});

it("does the same for an answer that is not streamed", async () => {
  const ada = await ramenLover();
  const { model, memory, scripted, errors, injections } = await remembering(ada, words);
  expect((await generateText({ model, prompt: QUESTION })).text).toBe("Your favorite is ramen.");
  await memory.settled();
  expect(errors).toEqual([]);
  expect(systemOf(scripted.requests[0])).toContain("ramen");
  expect((await messagesOf(ada)).at(-1)?.meta?.injection_id).toBe(injections[0]?.injection_id);
});

it("remembers what the person says in the turn", async () => {
  const ada = await startConversation("Ada");
  const { model, memory } = await remembering(ada, words);
  await generateText({ model, prompt: "My favorite color is green." });
  await memory.settled();
  await keepsake.runDueJobs({ max_seconds: 5 });
  const asked = { conversation_id: ada.conversationId, user_id: ada.userId, user_message: "Which color do I like?" };
  await expect.poll(async () => (await keepsake.injectMemory(asked)).context, { timeout: 60_000 }).toContain("green");
});

it("leaves the messages to a host that saves them itself", async () => {
  const ada = await ramenLover();
  const [messageId, answerId] = [randomUUID(), randomUUID()];
  const here = { conversation_id: ada.conversationId };
  await keepsake.saveMessage({ id: messageId, ...here, user_id: ada.userId, role: "user", content: QUESTION });
  const { model, memory, errors } = await remembering(ada, words, {
    messageId,
    saveAnswer: async ({ text, isComplete }) => {
      expect(isComplete).toBe(true);
      await keepsake.saveMessage({
        id: answerId,
        ...here,
        user_id: null,
        role: "assistant",
        content: `${text} (host)`,
      });
      return answerId;
    },
  });
  await streamText({ model, prompt: QUESTION }).text;
  await memory.settled();
  expect(errors).toEqual([]);
  const saved = await messagesOf(ada);
  expect(saved).toHaveLength(3);
  expect(saved.at(-1)).toMatchObject({ id: answerId, content: "Your favorite is ramen. (host)" });
  expect(saved.at(-1)?.meta?.injection_id).toBeTruthy();
});

it("saves of an aborted stream what had arrived, and sends the message all the same", async () => {
  const ada = await ramenLover();
  const abort = new AbortController();
  const endless: Script = async function* () {
    yield "Your favorite ";
    yield "is ";
    await new Promise(() => {});
  };
  const { model, memory, errors } = await remembering(ada, endless);
  const result = streamText({ model, prompt: QUESTION, abortSignal: abort.signal, onError: () => {} });
  let read = "";
  for await (const piece of result.textStream) {
    read += piece;
    if (read.endsWith("is ")) abort.abort();
  }
  await memory.settled();
  expect(errors).toEqual([]);
  expect((await messagesOf(ada)).at(-1)).toMatchObject({ role: "assistant", content: "Your favorite is " });
});

it("asks once for an answer in several steps, and saves what the last one says", async () => {
  const ada = await ramenLover();
  const withTool: Script = (_, index) => (index === 0 ? [{ tool: "menu", input: {} }] : words());
  const { model, memory, scripted, errors, injections } = await remembering(ada, withTool);
  const menu = tool({ description: "The menu", inputSchema: z.object({}), execute: () => "ramen, pizza" });
  const result = streamText({ model, prompt: QUESTION, tools: { menu }, stopWhen: stepCountIs(3) });
  expect(await result.text).toBe("Your favorite is ramen.");
  await memory.settled();
  expect(errors).toEqual([]);
  expect(injections).toHaveLength(1);
  expect(scripted.requests.map((request) => systemOf(request).includes("ramen"))).toEqual([true, true]);
  expect((await messagesOf(ada)).map((message) => message.role)).toEqual(["user", "user", "assistant"]);
});

it("saves the answer of a call that is repeated after a step with a tool", async () => {
  const ada = await startConversation("Ada");
  let calls = 0;
  const scripted = await scriptModel((_, index) => (index === 0 ? ["Let me look. ", { tool: "menu", input: {} }] : words()));
  const url = await serve(async (request, response) => {
    if (calls++ === 1) return void response.writeHead(503, { "retry-after-ms": "1" }).end("busy");
    const answer = await fetch(`${scripted.url}/chat/completions`, { method: "POST", body: await textOf(request) });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(await answer.text());
  });
  const { memory } = await remembering(ada, words);
  const model = wrapLanguageModel({ model: providerOf({ url, requests: [] }), middleware: memory });
  const menu = tool({ description: "The menu", inputSchema: z.object({}), execute: () => "ramen, pizza" });
  const result = streamText({ model, prompt: QUESTION, tools: { menu }, stopWhen: stepCountIs(3) });
  expect(await result.text).toBe("Your favorite is ramen.");
  await memory.settled();
  expect(calls).toBe(3);
  const said = (await messagesOf(ada)).map((message) => message.content);
  expect(said).toEqual([QUESTION, "Let me look. Your favorite is ramen."]);
});

it("saves a message once that comes in several requests, and anew once it is edited", async () => {
  const ada = await startConversation("Ada");
  for (const prompt of [QUESTION, QUESTION, `${QUESTION} Tell me.`]) {
    const { model, memory, errors } = await remembering(ada, words, { uiMessageId: "message-1" });
    await generateText({ model, prompt });
    await memory.settled();
    expect(errors).toEqual([]);
  }
  const said = (await messagesOf(ada)).filter((message) => message.role === "user").map((message) => message.content);
  expect(said).toEqual([QUESTION, `${QUESTION} Tell me.`]);
});

it("begins a new turn with each message of the person", async () => {
  const ada = await startConversation("Ada");
  const { model, memory, injections } = await remembering(ada, words);
  await generateText({ model, prompt: QUESTION });
  await memory.settled(); // a person reads the answer before they go on, and it is saved meanwhile
  const messages = [
    { role: "user", content: QUESTION },
    { role: "assistant", content: "Your favorite is ramen." },
    { role: "user", content: QUESTION },
  ] as const;
  await generateText({ model, messages: [...messages] });
  await memory.settled();
  expect(new Set(injections.map((injection) => injection.injection_id)).size).toBe(2);
  expect((await messagesOf(ada)).map((message) => message.role)).toEqual(["user", "assistant", "user", "assistant"]);
});

it("passes a failure of the model on, and still sends what the person said", async () => {
  const ada = await startConversation("Ada");
  const { memory, errors } = await remembering(ada, words);
  const url = await serve((_, response) => response.writeHead(400).end("no such model"));
  const broken = wrapLanguageModel({ model: providerOf({ url, requests: [] }), middleware: memory });
  await expect(generateText({ model: broken, prompt: QUESTION, maxRetries: 0 })).rejects.toThrow();
  await memory.settled();
  expect(errors).toEqual([]);
  expect((await messagesOf(ada)).map((message) => message.content)).toEqual([QUESTION]);
});

it("answers without memory where Keepsake is away, and reports it", async () => {
  const ada = { ...(await startConversation("Ada")) };
  const away = createKeepsake({ ...stack, url: "http://127.0.0.1:1" });
  const { model, memory, scripted, errors } = await remembering(ada, words, { keepsake: away });
  expect(await streamText({ model, prompt: QUESTION }).text).toBe("Your favorite is ramen.");
  await memory.settled();
  expect(systemOf(scripted.requests[0])).toBe("");
  expect(errors.map(([stage]) => stage)).toEqual(["save_message", "save_message"]);
  expect(errors[0]?.[1]).toMatchObject({ code: "unreachable" });
});

it("answers without memory where Keepsake does not answer in time, and reports it", async () => {
  const ada = await startConversation("Ada");
  const url = await serve(() => {});
  const slow = createKeepsake({ ...stack, functionsUrl: url, timeout: 500 });
  const { model, memory, errors } = await remembering(ada, words, { keepsake: slow, deadline: 50 });
  expect(await streamText({ model, prompt: QUESTION }).text).toBe("Your favorite is ramen.");
  await memory.settled();
  expect(errors[0]).toMatchObject(["inject_memory", { code: "deadline_exceeded" }]);
  expect((await messagesOf(ada)).map((message) => message.content)).toEqual([QUESTION, "Your favorite is ramen."]);
});

it("is not stopped by a callback that throws", async () => {
  const ada = await startConversation("Ada");
  const onError = () => {
    throw new Error("from the host");
  };
  const away = createKeepsake({ ...stack, url: "http://127.0.0.1:1" });
  const waitUntil = onError;
  const { model, memory } = await remembering(ada, words, { keepsake: away, onError, waitUntil });
  expect(await streamText({ model, prompt: QUESTION }).text).toBe("Your favorite is ramen.");
  expect((await generateText({ model, prompt: QUESTION })).text).toBe("Your favorite is ramen.");
  await memory.settled();
});

it("hands the work after the answer to the platform", async () => {
  const ada = await startConversation("Ada");
  const works: Promise<void>[] = [];
  const { model } = await remembering(ada, words, { waitUntil: (work) => works.push(work) });
  await streamText({ model, prompt: QUESTION }).text;
  await Promise.all(works);
  expect((await messagesOf(ada)).map((message) => message.role)).toEqual(["user", "assistant"]);
});
