/** Totals of the person's memories, and their settings. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { unwrap } from "./errors";
import { SCOPE, useKeepsake } from "./provider";
import type { MemoryOverview, MemorySettings } from "./rows";

const OVERVIEW = [SCOPE, "overview"];

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
  const { client, cache } = useKeepsake();
  const { overview, error } = useMemoryOverview();
  const update = useCallback(
    async (patch: SettingsPatch) => {
      await cache.cancelQueries({ queryKey: OVERVIEW });
      const before = cache.getQueryData<MemoryOverview>(OVERVIEW);
      if (before) cache.setQueryData(OVERVIEW, { ...before, settings: { ...before.settings, ...patch } });
      try {
        unwrap(await client.from("user_memory_settings").upsert(patch, { onConflict: "user_id" }).select("user_id"));
      } catch (failure) {
        cache.setQueryData(OVERVIEW, before);
        throw failure;
      } finally {
        void cache.invalidateQueries({ queryKey: OVERVIEW });
      }
    },
    [client, cache],
  );
  return { settings: overview?.settings, error, update };
}
