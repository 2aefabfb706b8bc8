/** Totals of the person's memories, and their settings. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { unwrap } from "./errors";
import { changeAtOnce } from "./optimistic";
import { SCOPE, useKeepsake } from "./provider";
import type { MemoryOverview, MemorySettings } from "./rows";

const OVERVIEW = [SCOPE, "overview"] as const;

export function useMemoryOverview(): { overview: MemoryOverview | undefined; error: Error | null } {
  const { client, cache, pollMilliseconds } = useKeepsake();
  const query = useQuery(
    {
      queryKey: OVERVIEW,
      queryFn: async () => unwrap(await client.rpc("memory_overview")) as unknown as MemoryOverview,
      refetchInterval: pollMilliseconds,
    },
    cache,
  );
  return { overview: query.data, error: query.error };
}

export type SettingsPatch = Partial<Omit<MemorySettings, "erased_before">>;

export interface UserMemorySettings {
  settings: MemorySettings | undefined;
  error: Error | null;
  update: (patch: SettingsPatch) => Promise<void>;
}

export function useMemorySettings(): UserMemorySettings {
  const keepsake = useKeepsake();
  const { overview, error } = useMemoryOverview();
  const update = useCallback(
    async (patch: SettingsPatch) => {
      const merge = (cached: MemoryOverview) => ({ ...cached, settings: { ...cached.settings, ...patch } });
      await changeAtOnce(keepsake, OVERVIEW, merge, async () =>
        unwrap(await keepsake.client.from("user_memory_settings").upsert(patch, { onConflict: "user_id" }).select("user_id")),
      );
    },
    [keepsake],
  );
  return { settings: overview?.settings, error, update };
}
