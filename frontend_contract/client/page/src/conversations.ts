/** Starts conversations through REST, with the person's own token. */
import { useCallback } from "react";
import { useKeepsake, useProfiles, type Conversation } from "../../src/react";
import { unwrap } from "../../src/react/errors";
import type { Person } from "./account";
import { invite } from "./backend";

export interface NewConversation {
  mode: string;
  profileId: string | null;
  guestEmail: string | null;
}

/** Returns a function that creates a conversation, chooses its profile and invites a guest. */
export function useStartConversation(person: Person): (wanted?: Partial<NewConversation>) => Promise<Conversation> {
  const { client, call, refresh } = useKeepsake();
  const profiles = useProfiles();
  return useCallback(
    async (wanted = {}) => {
      const { mode = "chat", guestEmail = null, profileId = profiles.find((each) => each.is_primary)?.id ?? null } = wanted;
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
    [client, call, refresh, profiles, person],
  );
}
