/** A conversation: each answer names the memories that it was given. */
import { useChat } from "@ai-sdk/react";
import { RememberInThisChat, UsedMemoryChips } from "@keepsake/client/panel";
import { DefaultChatTransport } from "ai";
import { useEffect, useMemo, useState, type FormEvent } from "react";
import type { ChatMessage } from "../lib/messages";
import { accessToken, supabase } from "../lib/supabase";

export function Chat() {
  const conversation = useConversation();
  const transport = useMemo(
    () =>
      new DefaultChatTransport<ChatMessage>({
        api: "/api/chat",
        headers: async () => ({ authorization: `Bearer ${await accessToken()}` }),
      }),
    [],
  );
  const { messages, sendMessage, status, error } = useChat<ChatMessage>({ transport });
  const [text, setText] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!conversation || !text.trim()) return;
    void sendMessage({ text }, { body: { conversationId: conversation.id } });
    setText("");
  };
  return (
    <section>
      <RememberInThisChat conversation={conversation} />
      {messages.map((message) => (
        <article key={message.id}>
          <p>
            <b>{message.role === "user" ? "You" : "Model"}:</b>{" "}
            {message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")}
          </p>
          {message.metadata && <UsedMemoryChips memoryIds={message.metadata.memoryIds} />}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button disabled={!conversation || status !== "ready"}>Send</button>
      </form>
    </section>
  );
}

/** A new conversation for each visit; the person decides in it whether it is remembered. */
function useConversation(): { id: string; mode: string } | null {
  const [conversation, setConversation] = useState<{ id: string; mode: string } | null>(null);
  useEffect(() => {
    const row = { id: crypto.randomUUID(), mode: "chat" };
    void supabase
      .from("conversations")
      .insert(row)
      .then(({ error }) => error === null && setConversation(row));
  }, []);
  return conversation;
}
