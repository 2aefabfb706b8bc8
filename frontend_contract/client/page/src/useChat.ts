/** The messages of a conversation, and sending: saved through REST, then answered as a stream. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useKeepsake, type Conversation, type Message } from "../../src/react";
import { unwrap } from "../../src/react/errors";
import type { Person } from "./account";
import { streamAnswer } from "./backend";
import { useStartConversation } from "./conversations";

const MAX_MESSAGES = 100;
const TITLE_LENGTH = 48;

/** An answer that is being written. */
export interface Draft {
  question: Pick<Message, "id" | "content" | "created_at">;
  text: string;
  memoryIds: string[];
  summaryIds: string[];
}

export interface Chat {
  messages: Message[];
  draft: Draft | null;
  error: { isSaved: boolean; cause: unknown } | null;
  /** The person's newest message of this visit. */
  sentId: string | null;
  /** Says whether the message was saved; if not, the person should get its text back. */
  send: (text: string) => Promise<boolean>;
}

export function useChat(conversation: Conversation | null, person: Person): Chat {
  const { client, cache, pollMilliseconds, refresh } = useKeepsake();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [error, setError] = useState<Chat["error"]>(null);
  const [sentId, setSentId] = useState<string | null>(null);
  const start = useStartConversation(person);
  const key = ["chat", conversation?.id];
  const query = useQuery(
    {
      queryKey: key,
      queryFn: async () => {
        const messages = client.from("messages").select("*").eq("conversation_id", conversation?.id ?? "");
        return unwrap(await messages.order("created_at", { ascending: false }).limit(MAX_MESSAGES)).reverse();
      },
      refetchInterval: pollMilliseconds,
      enabled: conversation !== null,
    },
    cache,
  );
  const send = useCallback(
    async (text: string) => {
      const question = { id: crypto.randomUUID(), content: text, created_at: new Date().toISOString() };
      setError(null);
      setDraft({ question, text: "", memoryIds: [], summaryIds: [] });
      let isSaved = false;
      try {
        const target = conversation ?? (await start());
        const row = { id: question.id, conversation_id: target.id, user_id: person.user_id, role: "user", content: text };
        unwrap(await client.from("messages").insert(row));
        isSaved = true;
        if (!target.title && target.user_id === person.user_id) {
          await client.from("conversations").update({ title: text.slice(0, TITLE_LENGTH) }).eq("id", target.id);
        }
        for await (const event of streamAnswer(await person.getAccessToken(), target.id, question.id)) {
          if (event.type === "context") {
            const memoryIds = (event.memories ?? []).map(({ id }) => id);
            setDraft((before) => before && { ...before, memoryIds, summaryIds: event.summary_ids ?? [] });
          }
          if (event.type === "text") setDraft((before) => before && { ...before, text: before.text + event.text });
        }
        setSentId(question.id);
      } catch (cause) {
        setError({ isSaved, cause });
        if (!isSaved) {
          setDraft(null);
          return false;
        }
      }
      await cache.invalidateQueries({ queryKey: ["chat"] });
      setDraft(null);
      await refresh();
      return true;
    },
    [client, cache, conversation, person, start, refresh],
  );
  return { messages: query.data ?? [], draft, error, sentId, send };
}
