/** Totals of the person's memories, and their settings. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { unwrap } from "./errors";
import { changeAtOnce } from "./optimistic";
import { SCOPE, useKeepsake } from "./provider";
import type { KeepsakeClient, MemoryOverview, MemorySettings } from "./rows";

const OVERVIEW = [SCOPE, "overview"] as const;

export function useMemoryOverview(): { overview: MemoryOverview | undefined; error: Error | null } {
  const { client, cache, pollMilliseconds } = useKeepsake();
  const query = useQuery(
    {
      queryKey: OVERVIEW,
      queryFn: () => fetchOverview(client),
      refetchInterval: pollMilliseconds,
    },
    cache,
  );
  return { overview: query.data, error: query.error };
}

/** Whether anything is known of the person besides their profile, such as from before they opened the panel; undefined while it is read. */
export function useIsKnown(isAsked: boolean): boolean | undefined {
  const { client, cache } = useKeepsake();
  const query = useQuery(
    {
      queryKey: [SCOPE, "is-known"],
      queryFn: async () => unwrap(await client.from("user_memory").select("id").neq("source", "seeded_profile").limit(1)).length > 0,
      enabled: isAsked,
    },
    cache,
  );
  return query.data;
}

export type SettingsPatch = Partial<Omit<MemorySettings, "erased_before">>;

export interface UserMemorySettings {
  settings: MemorySettings | undefined;
  error: Error | null;
  /** A list or a table of values is changed by a function of the settings, which are read again for it. */
  update: (patch: SettingsPatch | ((settings: MemorySettings) => SettingsPatch)) => Promise<void>;
}

export function useMemorySettings(): UserMemorySettings {
  const keepsake = useKeepsake();
  const { client } = keepsake;
  const { overview, error } = useMemoryOverview();
  const update = useCallback(
    async (change: SettingsPatch | ((settings: MemorySettings) => SettingsPatch)) => {
      const patchOf = typeof change === "function" ? change : () => change;
      const merge = (cached: MemoryOverview) => ({ ...cached, settings: { ...cached.settings, ...patchOf(cached.settings) } });
      const send = async () => {
        const patch = typeof change === "function" ? change((await fetchOverview(client)).settings) : change;
        unwrap(await client.from("user_memory_settings").upsert(patch, { onConflict: "user_id" }).select("user_id"));
      };
      await changeAtOnce(keepsake, OVERVIEW, "settings", merge, send);
    },
    [keepsake, client],
  );
  return { settings: overview?.settings, error, update };
}

async function fetchOverview(client: KeepsakeClient): Promise<MemoryOverview> {
  return unwrap(await client.rpc("memory_overview")) as unknown as MemoryOverview;
}
