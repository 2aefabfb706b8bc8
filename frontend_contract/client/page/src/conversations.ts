/** Starts conversations through REST, with the person's own token. */
import { useCallback } from "react";
import { useKeepsake, type Conversation, type KeepsakeClient } from "../../src/react";
import { unwrap } from "../../src/react/errors";
import type { Person } from "./account";
import { invite } from "./backend";

export interface NewConversation {
  mode: string;
  /** None for a chat that remembers nothing; left out, it is the person's primary one. */
  profileId: string | null;
  guestEmail: string | null;
}

/** Returns a function that creates a conversation, chooses its profile and invites a guest. */
export function useStartConversation(person: Person): (wanted?: Partial<NewConversation>) => Promise<Conversation> {
  const { client, call, refresh } = useKeepsake();
  return useCallback(
    async (wanted = {}) => {
      const { mode = "chat", guestEmail = null } = wanted;
      const profileId = wanted.profileId === undefined ? await findPrimaryProfile(client) : wanted.profileId;
      const id = crypto.randomUUID();
      unwrap(await client.from("conversations").insert({ id, mode }));
      if (profileId) {
        const body = { action: "update_conversation_profile", conversation_id: id, profile_id: profileId };
        await call("conversation-manager", JSON.stringify(body));
      }
      if (guestEmail) await invite(await person.getAccessToken(), id, guestEmail);
      const started: Conversation = unwrap(await client.from("conversations").select("*").eq("id", id).single());
      await refresh();
      return started;
    },
    [client, call, refresh, person],
  );
}

/** Asked when a chat begins: what the page has read may not be there yet, and a chat without a profile remembers nothing. */
async function findPrimaryProfile(client: KeepsakeClient): Promise<string | null> {
  const found = unwrap(await client.from("user_profile_list").select("id").eq("is_primary", true));
  return found[0]?.id ?? null;
}
