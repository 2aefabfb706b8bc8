/** However a turn ends, and whoever shares a middleware: what the person saw is saved once, as the answer to their message. */
import { generateText, hasToolCall, stepCountIs, streamText, tool, wrapLanguageModel, type ModelMessage } from "ai";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { z } from "zod";
import { createKeepsake } from "../../src/server";
import { messagesOf, startConversation, type Talk } from "../support/conversation";
import { serve, textOf } from "../support/http";
import type { Script } from "../support/model";
import { providerOf, ramenLover, remembering } from "../support/remembering";
import { stack } from "../support/stack";

const QUESTION = "What may I eat?";
const LOOK = "Let me look at your diet first. ";
const SOUP = "You can have soup.";

const lookThenAnswer: Script = (_, index) => (index === 0 ? [LOOK, { tool: "menu", input: {} }] : [SOUP]);
const inputSchema = z.object({});
const menu = tool({ description: "The menu", inputSchema, execute: () => "soup" });
const browserMenu = tool({ description: "The menu", inputSchema, outputSchema: z.string() });

/** Let the stack answer. */
async function passOn(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
  const { apikey, prefer } = request.headers as Record<string, string>;
  const headers = { apikey: apikey ?? "", "content-type": "application/json", ...(prefer && { prefer }) };
  const answer = await fetch(`${stack.url}${request.url}`, { method: "POST", headers, body });
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
}

/** The only answer, which is linked. */
async function expectAnswer(talk: Talk, content: string, question = QUESTION): Promise<void> {
  const saved = (await messagesOf(talk)).filter((message) => message.content !== "My favorite food is ramen.");
  expect(saved.map((message) => message.content)).toEqual([question, content]);
  expect(saved[1]?.meta?.injection_id).toBeTruthy();
}

it.each([
  ["stepCountIs", stepCountIs(1), menu],
  ["hasToolCall", hasToolCall("menu"), menu],
  ["an approval", stepCountIs(3), tool({ ...menu, needsApproval: true })],
  ["a tool of the browser", stepCountIs(3), browserMenu],
])("saves what was said before a tool call at which %s ends the turn", async (_, stopWhen, tools) => {
  for (const call of [streamText, generateText]) {
    const ada = await ramenLover();
    const { model, memory, errors } = await remembering(ada, lookThenAnswer);
    expect(await (await call({ model, prompt: QUESTION, tools: { menu: tools }, stopWhen })).text).toBe(LOOK);
    await memory.settled();
    expect(errors).toEqual([]);
    await expectAnswer(ada, LOOK);
  }
});

it("saves what was said before a tool during which the answer is aborted", async () => {
  const ada = await ramenLover();
  const abort = new AbortController();
  const slow = tool({ description: "The menu", inputSchema, execute: () => (abort.abort(), new Promise<string>(() => {})) });
  const { model, memory } = await remembering(ada, lookThenAnswer);
  const stopWhen = stepCountIs(3);
  const result = streamText({ model, prompt: QUESTION, tools: { menu: slow }, stopWhen, abortSignal: abort.signal });
  await result.consumeStream();
  await memory.settled();
  await expectAnswer(ada, LOOK);
});

it("saves what a reader sees who leaves without a word", async () => {
  const ada = await ramenLover();
  const { model } = await remembering(ada, lookThenAnswer);
  const result = streamText({ model, prompt: QUESTION, tools: { menu }, stopWhen: stepCountIs(3) });
  for await (const _ of result.textStream) break;
  await expect.poll(async () => (await messagesOf(ada)).at(-1)?.meta?.injection_id, { timeout: 60_000 }).toBeTruthy();
  expect(LOOK + SOUP).toContain((await messagesOf(ada)).at(-1)?.content);
});

it("waits for an answer under way that nobody reads, once the request is over", async () => {
  const ada = await ramenLover();
  let [isAsked, goOn] = [() => {}, () => {}];
  const [asked, released] = [new Promise<void>((resolve) => (isAsked = resolve)), new Promise<void>((resolve) => (goOn = resolve))];
  async function* answer() {
    yield LOOK;
    isAsked();
    await released;
    yield SOUP;
  }
  const { model, memory, errors } = await remembering(ada, answer);
  streamText({ model, prompt: QUESTION });
  const settled = memory.settled();
  await asked;
  goOn();
  await settled;
  expect(errors).toEqual([]);
  await expectAnswer(ada, LOOK + SOUP);
});

it("makes one answer of two requests between which a tool runs in the browser", async () => {
  const ada = await ramenLover();
  const sent: string[] = [];
  const url = await serve(async (request, response) => {
    const body = await textOf(request);
    if (request.url?.endsWith("/chat-send")) sent.push(body);
    await passOn(request, body, response);
  });
  const more = { uiMessageId: "message-1", keepsake: createKeepsake({ ...stack, url }) };
  const first = await remembering(ada, lookThenAnswer, more);
  const { response } = await generateText({ model: first.model, prompt: QUESTION, tools: { menu: browserMenu } });
  const output = { type: "text", value: "soup" } as const;
  const messages: ModelMessage[] = [
    { role: "user", content: QUESTION },
    ...response.messages,
    { role: "tool", content: [{ type: "tool-result", toolCallId: "call-1", toolName: "menu", output }] },
  ];
  const second = await remembering(ada, () => [SOUP], more);
  await streamText({ model: second.model, messages, tools: { menu: browserMenu } }).consumeStream();
  await Promise.all([first.memory.settled(), second.memory.settled()]);
  expect([first.errors, second.errors]).toEqual([[], []]);
  await expectAnswer(ada, LOOK + SOUP);
  expect(sent).toHaveLength(2);
  expect(new Set(sent).size).toBe(2);
});

it("gives a host each word once, and waits for a tool", async () => {
  const ada = await ramenLover();
  const answers: { text: string; isComplete: boolean }[] = [];
  const saveAnswer = async (answer: (typeof answers)[number]) => void answers.push(answer);
  for (const stopWhen of [stepCountIs(1), stepCountIs(3)]) {
    const { model, memory } = await remembering(ada, lookThenAnswer, { saveAnswer });
    await streamText({ model, prompt: QUESTION, tools: { menu }, stopWhen }).consumeStream();
    await memory.settled();
  }
  expect(answers).toEqual([
    { text: LOOK, isComplete: false },
    { text: LOOK + SOUP, isComplete: true },
  ]);
});

it("throws where a middleware is used for another person's message", async () => {
  const ada = await startConversation("Ada");
  const { model, memory } = await remembering(ada, () => ["Hello!"]);
  await generateText({ model, prompt: "I am Ada." });
  await expect(generateText({ model, prompt: "I am Ben and I love trains." })).rejects.toThrow("one for each request");
  const errors: unknown[] = [];
  const onError = ({ error }: { error: unknown }) => void errors.push(error);
  await streamText({ model, prompt: "I am Ben and I love trains.", onError }).consumeStream();
  expect(String(errors[0])).toContain("one for each request");
  await memory.settled();
  expect((await messagesOf(ada)).map((message) => message.content)).toEqual(["I am Ada.", "Hello!"]);
});

it("throws where the id of one message is given for two", async () => {
  const ada = await startConversation("Ada");
  const { model } = await remembering(ada, () => ["Hello!"], { messageId: crypto.randomUUID() });
  await generateText({ model, prompt: "I am Ada." });
  const messages = ["I am Ada.", "And I love trains."].map((content) => ({ role: "user", content }) as const);
  await expect(generateText({ model, messages })).rejects.toThrow("one for each request");
});

it("makes two whole turns of the same words said twice, also at once", async () => {
  const ada = await startConversation("Ada");
  const slowly: Script = async function* () {
    for (const word of ["You ", "are ", "welcome."]) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield word;
    }
  };
  const { model, memory } = await remembering(ada, slowly);
  const thank = () => streamText({ model, prompt: "Thanks!" }).text;
  await Promise.all([thank(), thank()]);
  await thank();
  await memory.settled();
  const said = (await messagesOf(ada)).map((message) => message.content).sort();
  expect(said).toEqual([...Array(3).fill("Thanks!"), ...Array(3).fill("You are welcome.")]);
});

it("makes one turn of a request that comes twice at once", async () => {
  const ada = await ramenLover();
  const requests = [1, 2].map(async () => {
    const { model, memory } = await remembering(ada, () => [SOUP], { uiMessageId: "message-1" });
    await streamText({ model, prompt: QUESTION }).consumeStream();
    await memory.settled();
  });
  await Promise.all(requests);
  await expectAnswer(ada, SOUP);
});

it.each([
  ["401 PGRST303", 401],
  ["502", 502],
  ["504", 504],
  ["a reset", 0],
])("saves and links everything where a gateway answers each call once with %s", async (_, status) => {
  const ada = await ramenLover();
  const faulty = new Set<string>();
  const url = await serve(async (request, response) => {
    const body = await textOf(request);
    const call = `${request.url} ${body}`;
    if (!faulty.has(call)) {
      faulty.add(call);
      if (status === 0) return void request.socket.resetAndDestroy();
      return void response.writeHead(status).end('{"code": "PGRST303", "message": "JWT issued at future"}');
    }
    await passOn(request, body, response);
  });
  const keepsake = createKeepsake({ ...stack, url });
  const { model, memory, errors, injections } = await remembering(ada, () => [SOUP], { keepsake });
  await streamText({ model, prompt: QUESTION }).consumeStream();
  await memory.settled();
  expect(errors).toEqual([]);
  expect(injections[0]?.context).toContain("ramen");
  await expectAnswer(ada, SOUP);
});

it("still works in an array of middlewares that change the parameters", async () => {
  const ada = await ramenLover();
  const { memory, scripted } = await remembering(ada, () => [SOUP]);
  const changing = { specificationVersion: "v4", transformParams: async ({ params }: { params: object }) => ({ ...params }) };
  const model = wrapLanguageModel({ model: providerOf(scripted), middleware: [changing as never, memory, changing as never] });
  await generateText({ model, prompt: QUESTION });
  await memory.settled();
  await expectAnswer(ada, SOUP);
});
