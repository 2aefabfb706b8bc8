/** Whether a conversation is remembered, why not, and the person's choice of profile for it. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { unwrap } from "./errors";
import { SCOPE, useKeepsake } from "./provider";
import type { Conversation, Participation } from "./rows";
import { useProfilesQuery } from "./useMemoryDetails";
import { useMemorySettings } from "./useMemorySettings";

/** Why nothing is remembered in a conversation. */
export type SilenceReason = "no_profile" | "not_primary" | "paused" | "disabled" | "conversation_off" | "swiss_off";

export interface ConversationMemory {
  /** Undefined while it is read. */
  isRemembering: boolean | undefined;
  reason: SilenceReason | null;
  profileId: string | null;
  /** The only profile that builds memory; null if the person has no main profile. */
  primaryProfileId: string | null;
  setEnabled: (enabled: boolean) => Promise<void>;
  setProfile: (profileId: string | null) => Promise<void>;
}

export function useConversationMemory(conversation: Pick<Conversation, "id" | "mode"> | null): ConversationMemory {
  const { client, cache, call, pollMilliseconds } = useKeepsake();
  const { settings } = useMemorySettings();
  const { data: profiles } = useProfilesQuery();
  const id = conversation?.id ?? null;
  const query = useQuery(
    {
      queryKey: [SCOPE, "participation", id],
      queryFn: async (): Promise<Participation | null> =>
        unwrap(await client.rpc("memory_participation", { conversation_id: id as string }).maybeSingle()),
      refetchInterval: pollMilliseconds,
      enabled: id !== null,
    },
    cache,
  );
  const manage = useCallback(
    async (action: string, values: object) => {
      await call("conversation-manager", JSON.stringify({ action, conversation_id: id, ...values }));
      await cache.invalidateQueries({ queryKey: [SCOPE, "participation", id] });
    },
    [call, cache, id],
  );
  const participation = query.data;
  const primaryProfileId = profiles?.find((each) => each.is_primary)?.id ?? null;
  const isKnown = Boolean(participation && settings && profiles && conversation);
  const reason =
    participation && settings && profiles && conversation
      ? findReason(conversation.mode, participation, settings, primaryProfileId)
      : null;
  return {
    isRemembering: isKnown ? reason === null : undefined,
    reason,
    profileId: participation?.profile_id ?? null,
    primaryProfileId,
    setEnabled: useCallback((enabled) => manage("set_memory_enabled", { memory_enabled: enabled }), [manage]),
    setProfile: useCallback((profileId) => manage("update_conversation_profile", { profile_id: profileId }), [manage]),
  };
}

/** The same order as the consent guard of the functions. */
function findReason(
  mode: string,
  participation: Participation,
  settings: { building: boolean; enabled: boolean },
  primaryProfile: string | null,
): SilenceReason | null {
  if (!settings.enabled) return "disabled";
  if (participation.profile_id === null) return "no_profile";
  if (participation.profile_id !== primaryProfile) return "not_primary";
  if (participation.memory_enabled === false) return "conversation_off";
  if (participation.memory_enabled === null && mode === "swiss") return "swiss_off";
  return settings.building ? null : "paused";
}
