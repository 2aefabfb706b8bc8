/** A route of Next.js that answers with memory: the lines marked with + are all that Keepsake adds. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { keepsakeMemory } from "@keepsake/client/ai-sdk"; // +
import { createKeepsake } from "@keepsake/client/server"; // +
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  streamText,
  toUIMessageStream,
  wrapLanguageModel, // +
  type UIMessage,
} from "ai";
import { authorOf } from "../../../lib/author";

const { OPENAI_BASE_URL = "", OPENAI_API_KEY = "", OPENAI_MODEL = "" } = process.env;
const { SUPABASE_URL = "", SUPABASE_SECRET_KEY = "" } = process.env;

const provider = createOpenAICompatible({ name: "model", baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY });
const keepsake = createKeepsake({ url: SUPABASE_URL, secretKey: SUPABASE_SECRET_KEY }); // +

export async function POST(request: Request): Promise<Response> {
  const { messages, conversationId } = (await request.json()) as { messages: UIMessage[]; conversationId: string };
  const userId = await authorOf(request, conversationId);
  if (!userId) return new Response("Not your conversation.", { status: 404 });
  const uiMessageId = messages.findLast(({ role }) => role === "user")?.id; // +
  const middleware = keepsakeMemory({ keepsake, conversationId, userId, uiMessageId }); // +
  const model = wrapLanguageModel({ model: provider(OPENAI_MODEL), middleware }); // +
  const result = streamText({ model, messages: await convertToModelMessages(messages), abortSignal: request.signal });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) });
}
