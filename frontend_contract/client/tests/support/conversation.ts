/** A person in a conversation, as a host application makes them. */
import { randomUUID } from "node:crypto";
import { createKeepsake } from "../../src/server";
import { ALONE, insert, signIn, stack, type Person } from "./stack";

export interface Talk extends Person {
  conversationId: string;
  profileId: string;
}

export interface SavedMessage {
  id: string;
  role: string;
  content: string;
  user_id: string | null;
  meta: { injection_id?: string; memory_ids?: string[]; summary_ids?: string[] } | null;
}

export const keepsake = createKeepsake(stack);

/** A new person with a primary profile, in a new conversation that remembers. */
export async function startConversation(name: string): Promise<Talk> {
  const person = await signIn(`${name}-${randomUUID().slice(0, 8)}@example.com`.toLowerCase());
  const { id } = await insert<{ id: string }>("user_profile_list", {
    user_id: person.userId,
    name,
    is_primary: true,
    timezone: "UTC",
  });
  const row = { user_id: person.userId, profile_id: id, mode: "chat", memory_enabled: true };
  const conversation = await insert<{ id: string }>("conversations", row);
  return { ...person, conversationId: conversation.id, profileId: id };
}

/** Save what the person says, and remember it at once. */
export async function tell({ userId, conversationId }: Talk, text: string): Promise<string> {
  const id = randomUUID();
  await keepsake.saveMessage({ id, conversation_id: conversationId, user_id: userId, role: "user", content: text });
  await keepsake.extractUserMemory({ conversation_id: conversationId, message_id: id });
  return id;
}

/** The messages of a conversation, oldest first, as the host reads them. */
export async function messagesOf({ conversationId }: Talk): Promise<SavedMessage[]> {
  const query = `conversation_id=eq.${conversationId}&order=created_at&select=id,role,content,user_id,meta`;
  const answer = await fetch(`${stack.url}/rest/v1/messages?${query}`, { headers: { ...ALONE, apikey: stack.secretKey } });
  return (await answer.json()) as SavedMessage[];
}
