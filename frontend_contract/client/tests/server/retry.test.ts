/** What the client does where Keepsake refuses, is slow, or is not there. */
import { expect, it } from "vitest";
import { createKeepsake, KeepsakeError } from "../../src/server";
import { serve } from "../support/http";

const CHAT = {
  conversation_id: "5f0f9a2e-6d0c-4a0f-9c55-0f6f3c2f7a10",
  message_id: "b7a0a3d2-58f0-4c1e-8c6a-2d6c3f6f1e21",
};
const PROBLEM = { code: "database_unavailable", message: "The database does not answer.", details: null, hint: null };

/** A server that refuses with these statuses, one after another, and then accepts; 0 resets the connection. */
async function refusing(statuses: number[], headers: Record<string, string> = { "retry-after": "0" }, code = PROBLEM.code) {
  const bodies: string[] = [];
  const url = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    const status = statuses[bodies.length - 1];
    if (status === 0) return void request.socket.resetAndDestroy();
    response.writeHead(status ?? 200, { "content-type": "application/json", "x-request-id": "r-1", ...headers });
    response.end(JSON.stringify(status ? { ...PROBLEM, code } : { status: "accepted", reason: null, extraction_ids: [] }));
  });
  return { bodies, keepsake: createKeepsake({ url, secretKey: "sb_secret_x", baseDelay: 1 }) };
}

it.each([429, 503])("tries again after %d, with the same body", async (status) => {
  const { keepsake, bodies } = await refusing([status, status]);
  expect((await keepsake.chatSend(CHAT)).status).toBe("accepted");
  expect(bodies).toEqual(Array(3).fill(JSON.stringify(CHAT)));
});

it("gives up after the last retry, with everything that the refusal says", async () => {
  const { keepsake, bodies } = await refusing([503, 503, 503, 503]);
  const error = await keepsake.chatSend(CHAT).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KeepsakeError);
  expect(error).toMatchObject({ code: "database_unavailable", status: 503, requestId: "r-1", retryAfter: 0 });
  expect(bodies).toHaveLength(3);
});

it("returns a refusal at once that asks for a longer wait than it may", async () => {
  const { keepsake, bodies } = await refusing([429], { "retry-after": "900" });
  await expect(keepsake.chatSend(CHAT)).rejects.toMatchObject({ status: 429, retryAfter: 900 });
  expect(bodies).toHaveLength(1);
});

it.each([
  [401, "PGRST303"],
  [502, "unknown"],
  [504, "unknown"],
  [0, ""],
])("repeats a call once within a second after %d %s", async (status, code) => {
  const { keepsake, bodies } = await refusing([status], {}, code);
  const began = performance.now();
  expect((await keepsake.chatSend(CHAT, { retries: 0 })).status).toBe("accepted");
  expect(performance.now() - began).toBeGreaterThan(150);
  expect(bodies).toEqual(Array(2).fill(JSON.stringify(CHAT)));
});

it.each([0, 401, 502])("repeats a call only once after %d", async (status) => {
  const { keepsake, bodies } = await refusing([status, status, status], {}, "PGRST303");
  await expect(keepsake.chatSend(CHAT)).rejects.toMatchObject({ status });
  expect(bodies).toHaveLength(2);
});

it("saves a message after a reset with the same id", async () => {
  const { keepsake, bodies } = await refusing([0]);
  const message = { id: CHAT.message_id, conversation_id: CHAT.conversation_id, user_id: null, content: "Yes." };
  await keepsake.saveMessage({ ...message, role: "assistant" });
  expect(bodies.map((body) => JSON.parse(body).message_id)).toEqual([CHAT.message_id, CHAT.message_id]);
});

it.each([0, 502])("does not repeat an import that may have been done, after %d", async (status) => {
  const { keepsake, bodies } = await refusing([status]);
  await expect(keepsake.importMemories("{}", { token: "t" })).rejects.toMatchObject({ status });
  expect(bodies).toHaveLength(1);
});

it("does not repeat a statement that took too long", async () => {
  const { keepsake, bodies } = await refusing([504], {}, "statement_timeout");
  await expect(keepsake.chatSend(CHAT)).rejects.toMatchObject({ status: 504 });
  expect(bodies).toHaveLength(1);
});

it.each([400, 401, 404, 409, 500])("does not repeat what was refused with %d", async (status) => {
  const { keepsake, bodies } = await refusing([status]);
  await expect(keepsake.chatSend(CHAT)).rejects.toMatchObject({ status });
  expect(bodies).toHaveLength(1);
});

it("throws the reason of an aborted signal, also while it waits to try again", async () => {
  const { keepsake } = await refusing([503], { "retry-after": "5" });
  const abort = new AbortController();
  const call = keepsake.chatSend(CHAT, { signal: abort.signal });
  setTimeout(() => abort.abort(new Error("left the page")), 50);
  await expect(call).rejects.toThrow("left the page");
});

it("fails with deadline_exceeded where nothing is answered in time", async () => {
  const url = await serve(() => {});
  const keepsake = createKeepsake({ url, secretKey: "sb_secret_x", timeout: 50 });
  await expect(keepsake.chatSend(CHAT)).rejects.toMatchObject({ code: "deadline_exceeded", status: 0 });
});

it("fails with unreachable where nobody listens", async () => {
  const keepsake = createKeepsake({ url: "http://127.0.0.1:1", secretKey: "sb_secret_x" });
  await expect(keepsake.chatSend(CHAT)).rejects.toMatchObject({ code: "unreachable", status: 0 });
});

it("fails with unexpected_answer where something else than Keepsake answers", async () => {
  const url = await serve((_, response) => response.writeHead(502).end("<html>Bad gateway</html>"));
  const keepsake = createKeepsake({ url, secretKey: "sb_secret_x" });
  await expect(keepsake.chatSend(CHAT)).rejects.toMatchObject({ code: "unexpected_answer", status: 502 });
});
