/** What the page asks of the local stack's own backend: who can sign in, and the answer to a message. */
import { request, RequestError, unreachable } from "../../src/react/errors";

export interface Setup {
  publishable_key: string;
  model: string | null;
  /** Whether the model has a verdict that counts or is being tried by itself; true without a model. */
  is_model_checked: boolean;
  /** Whether people sign in with Supabase Auth. */
  has_auth: boolean;
  /** The demo's people; `user_id` once they have an account. */
  people: { email: string; name: string; user_id: string | null; has_year: boolean }[];
}

export interface DemoToken {
  access_token: string;
  user_id: string;
  name: string;
}

export interface ContextEvent {
  type: "context";
  memories: { id: string; ref: string; type: string; text: string }[] | null;
  summary_ids: string[] | null;
  reason: string | null;
  command_result: { message: string } | null;
  token_count: number | null;
}

export type AnswerEvent =
  | ContextEvent
  | { type: "text"; text: string }
  | { type: "end"; message_id: string };

export async function fetchSetup(): Promise<Setup> {
  return (await request("/chat/setup")).json() as Promise<Setup>;
}

export async function fetchDemoToken(email: string): Promise<DemoToken> {
  return (await post("/chat/sign-in", { email })).json() as Promise<DemoToken>;
}

export async function invite(token: string, conversationId: string, email: string): Promise<void> {
  await post("/chat/invite", { conversation_id: conversationId, email }, token);
}

/** Yield the events of an answer while it is made: one line of JSON each. */
export async function* streamAnswer(
  token: string,
  conversationId: string,
  messageId: string,
): AsyncGenerator<AnswerEvent> {
  const response = await post("/chat/answer", { conversation_id: conversationId, message_id: messageId }, token);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  const read = () =>
    reader.read().catch((error: unknown) => {
      throw unreachable(error); // the connection was lost in the middle of the answer
    });
  for (let { value, done } = await read(); !done; { value, done } = await read()) {
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield parseEvent(line);
  }
}

/** An event of the answer; one that says that the answer failed is thrown. */
function parseEvent(line: string): AnswerEvent {
  const event = JSON.parse(line) as AnswerEvent | { type: "error"; message: string };
  if (event.type === "error") throw new RequestError(event.message, "internal_error", 500);
  return event;
}

async function post(path: string, body: object, token?: string): Promise<Response> {
  const language = document.documentElement.lang; // the report in place of an answer is in the language of the page
  const headers = { "content-type": "application/json", "accept-language": language, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}
