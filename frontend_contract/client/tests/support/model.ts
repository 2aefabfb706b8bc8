/** A language model that says what a test scripts, behind the HTTP interface of OpenAI. */
import type { ServerResponse } from "node:http";
import { serve, textOf } from "./http";

export interface ChatRequest {
  messages: { role: string; content: unknown }[];
  stream?: boolean;
}

/** What the model says to a request: pieces, which are streamed one by one as they come. */
export type Script = (request: ChatRequest, index: number) => Iterable<Piece> | AsyncIterable<Piece>;
export type Piece = string | { tool: string; input: unknown };

export interface ScriptedModel {
  /** The base URL for a provider. */
  url: string;
  /** What it was asked, oldest first. */
  requests: ChatRequest[];
}

export async function scriptModel(script: Script): Promise<ScriptedModel> {
  const requests: ChatRequest[] = [];
  const url = await serve(async (request, response) => {
    const asked = JSON.parse(await textOf(request)) as ChatRequest;
    requests.push(asked);
    const pieces = script(asked, requests.length - 1);
    await (asked.stream ? stream(pieces, response) : answer(pieces, response));
  });
  return { url: `${url}/v1`, requests };
}

/** The system messages of a request, which hold the context. */
export function systemOf(request: ChatRequest | undefined): string {
  const found = request?.messages.filter((message) => message.role === "system") ?? [];
  return found.map((message) => String(message.content)).join("\n");
}

const BASE = { id: "chat-1", created: 0, model: "scripted" };

async function stream(pieces: ReturnType<Script>, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: unknown, finish_reason: string | null) => {
    const chunk = { ...BASE, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  let reason = "stop";
  for await (const piece of pieces) {
    if (typeof piece !== "string") reason = "tool_calls";
    send(typeof piece === "string" ? { content: piece } : { tool_calls: [toolCall(piece)] }, null);
  }
  send({}, reason);
  response.end("data: [DONE]\n\n");
}

async function answer(pieces: ReturnType<Script>, response: ServerResponse): Promise<void> {
  let content = "";
  const tool_calls = [];
  for await (const piece of pieces) {
    if (typeof piece === "string") content += piece;
    else tool_calls.push(toolCall(piece));
  }
  const finish_reason = tool_calls.length > 0 ? "tool_calls" : "stop";
  const message = { role: "assistant", content, ...(tool_calls.length > 0 && { tool_calls }) };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...BASE, object: "chat.completion", choices: [{ index: 0, message, finish_reason }] }));
}

function toolCall(piece: { tool: string; input: unknown }): unknown {
  const called = { name: piece.tool, arguments: JSON.stringify(piece.input) };
  return { index: 0, id: "call-1", type: "function", function: called };
}
