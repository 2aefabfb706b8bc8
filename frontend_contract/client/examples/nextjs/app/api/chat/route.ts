/** A route of Next.js that answers with memory: the lines marked with + are all that memory needs. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { keepsakeMemory, type Injection } from "@keepsake/client/ai-sdk"; // +
import { createKeepsake } from "@keepsake/client/server"; // +
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  streamText,
  toUIMessageStream,
  wrapLanguageModel, // +
} from "ai";
import { authorOf } from "../../../lib/author";
import type { ChatMessage } from "../../../lib/messages";

const { OPENAI_BASE_URL = "", OPENAI_API_KEY = "", OPENAI_MODEL = "" } = process.env;
const { SUPABASE_URL = "", SUPABASE_SECRET_KEY = "" } = process.env;

const provider = createOpenAICompatible({ name: "model", baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY });
const keepsake = createKeepsake({ url: SUPABASE_URL, secretKey: SUPABASE_SECRET_KEY }); // +

export async function POST(request: Request): Promise<Response> {
  const { messages, conversationId } = (await request.json()) as { messages: ChatMessage[]; conversationId: string };
  const userId = await authorOf(request, conversationId);
  if (!userId) return new Response("Not your conversation.", { status: 404 });
  const uiMessageId = messages.findLast(({ role }) => role === "user")?.id; // +
  let memoryIds: string[] = []; // for the chips under the answer
  const onInjection = (given: Injection) => void (memoryIds = given.memory_ids);
  const middleware = keepsakeMemory({ keepsake, conversationId, userId, uiMessageId, onInjection }); // +
  const model = wrapLanguageModel({ model: provider(OPENAI_MODEL), middleware }); // +
  const result = streamText({ model, messages: await convertToModelMessages(messages), abortSignal: request.signal });
  const messageMetadata = ({ part }: { part: { type: string } }) => (part.type === "finish" ? { memoryIds } : undefined);
  const stream = toUIMessageStream({ stream: result.stream, messageMetadata });
  return createUIMessageStreamResponse({ stream });
}
