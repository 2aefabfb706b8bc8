// What the middleware for the AI SDK costs: run by bench/speed/middleware.py against a stack that it starts.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText, wrapLanguageModel } from "ai";

const { KEEPSAKE_URL, KEEPSAKE_SECRET_KEY, PACKAGE, PERSON, CONVERSATION, ROUNDS } = process.env;
const { createKeepsake } = await import(`${PACKAGE}/server.js`);
const { keepsakeMemory } = await import(`${PACKAGE}/ai-sdk.js`);

const WORDS = 20;
const WORD_MILLISECONDS = 2;
const keepsake = createKeepsake({ url: KEEPSAKE_URL, secretKey: KEEPSAKE_SECRET_KEY });
const turn = { conversation_id: CONVERSATION };
const question = "What should I cook tonight?";

/** A model that answers at once, a word each two milliseconds. */
const server = createServer(async (request, response) => {
  for await (const _ of request);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta, finish_reason) => {
    const choices = [{ index: 0, delta, finish_reason }];
    const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "scripted", choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (let word = 0; word < WORDS; word++) {
    send({ content: "word " }, null);
    await new Promise((done) => setTimeout(done, WORD_MILLISECONDS));
  }
  send({}, "stop");
  response.end("data: [DONE]\n\n");
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const model = createOpenAICompatible({ name: "scripted", baseURL: `http://127.0.0.1:${server.address().port}/v1` })("scripted");

async function stream(model, system, began) {
  const { textStream } = streamText({ model, ...(system && { system }), prompt: question });
  let first;
  for await (const _ of textStream) first ??= performance.now() - began;
  return { first, whole: performance.now() - began };
}

const arms = {
  async without() {
    return stream(model, undefined, performance.now());
  },
  async byHand() {
    const began = performance.now();
    const [asked, answered] = [randomUUID(), randomUUID()];
    await keepsake.saveMessage({ id: asked, ...turn, user_id: PERSON, role: "user", content: question });
    const { context, injection_id } = await keepsake.injectMemory({ ...turn, message_id: asked });
    const times = await stream(model, context, began);
    await keepsake.saveMessage({ id: answered, ...turn, user_id: null, role: "assistant", content: "word ".repeat(WORDS) });
    if (injection_id) await keepsake.recordInjection({ injection_id, message_id: answered });
    for (const message_id of [asked, answered]) await keepsake.chatSend({ ...turn, message_id });
    return times;
  },
  async middleware() {
    const began = performance.now();
    const middleware = keepsakeMemory({ keepsake, conversationId: CONVERSATION, userId: PERSON });
    const times = await stream(wrapLanguageModel({ model, middleware }), undefined, began);
    await middleware.settled();
    return times;
  },
};

const measured = Object.fromEntries(Object.keys(arms).map((name) => [name, []]));
for (let round = -5; round < Number(ROUNDS); round++) {
  for (const [name, run] of Object.entries(arms)) {
    const times = await run();
    if (round >= 0) measured[name].push(times);
  }
}
process.stdout.write(JSON.stringify(measured));
server.closeAllConnections();
server.close();
