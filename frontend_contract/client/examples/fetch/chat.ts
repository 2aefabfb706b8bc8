/** A chat backend without any framework: web standards, the server client, and a model behind OpenAI's interface. */
import { createKeepsake, type KeepsakeOptions } from "@keepsake/client/server";

export interface ChatOptions extends KeepsakeOptions {
  model: { url: string; key: string; name: string };
  /** Who asks, and whether they take part in the conversation: null refuses. */
  authorOf: (request: Request, conversationId: string) => Promise<string | null>;
  onError: (error: unknown) => void;
}

/** Make the handler: `{ conversationId, text }` in, the answer's text streamed out. For `Deno.serve`, `Bun.serve`, … */
export function createChat(options: ChatOptions): (request: Request) => Promise<Response> {
  const keepsake = createKeepsake(options);
  return async (request) => {
    const { conversationId, text } = (await request.json()) as { conversationId: string; text: string };
    const userId = await options.authorOf(request, conversationId);
    if (!userId) return new Response("Not your conversation.", { status: 404 });

    const conversation_id = conversationId;
    const message_id = crypto.randomUUID();
    await keepsake.saveMessage({ id: message_id, conversation_id, user_id: userId, role: "user", content: text });
    // A second at most: without its memories the model can still answer.
    const injection = await keepsake
      .injectMemory({ conversation_id, message_id }, { timeout: 1_000, retries: 0 })
      .catch(options.onError);

    const answer = await askModel(options.model, injection?.context ?? "", text, request.signal);
    const finish = async (content: string) => {
      const id = crypto.randomUUID();
      await keepsake.saveMessage({ id, conversation_id, user_id: null, role: "assistant", content });
      if (injection?.injection_id) {
        await keepsake.recordInjection({ injection_id: injection.injection_id, message_id: id });
      }
      await keepsake.chatSend({ conversation_id, message_id });
    };
    return new Response(answer.pipeThrough(collect((content) => finish(content).catch(options.onError))));
  };
}

/** The model's words as they come. */
async function askModel(model: ChatOptions["model"], context: string, text: string, signal: AbortSignal) {
  const messages = [
    { role: "system", content: context },
    { role: "user", content: text },
  ];
  const answer = await fetch(`${model.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${model.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: model.name, messages, stream: true }),
    signal,
  });
  if (!answer.ok || !answer.body) throw new Error(`The model answered ${answer.status}.`);
  return answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(contentOfEvents());
}

/** The texts inside server-sent events. */
function contentOfEvents(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("data: {")) continue;
        const event = JSON.parse(line.slice(6)) as { choices: { delta?: { content?: string } }[] };
        controller.enqueue(event.choices[0]?.delta?.content ?? "");
      }
    },
  });
}

/** Passes text on as bytes, and at its end hands over all of it; the reader has the last word before that. */
function collect(onEnd: (text: string) => void): TransformStream<string, Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  return new TransformStream({
    transform(piece, controller) {
      text += piece;
      controller.enqueue(encoder.encode(piece));
    },
    flush: () => onEnd(text),
  });
}
