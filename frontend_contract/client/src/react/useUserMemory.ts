/** The person's memories, filtered, searched and paged. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { fetchNewestChange, fetchPage, VIEWS_OF_CURRENT, type MemoryFilter } from "./memory_queries";
import { readAgain } from "./pending";
import { SCOPE, useKeepsake } from "./provider";
import { endOf, type Memory } from "./rows";
import { useMemoryChanges, type MemoryChanges } from "./useMemoryChanges";

/** In milliseconds; a timer that is set for longer would end at once. */
const MAX_TIMEOUT = 2 ** 31 - 1;

export interface UserMemoryOptions extends MemoryFilter {
  /** Memories of one page; default 50. */
  pageSize?: number;
  /** False reads nothing, as for a tab that is not shown. */
  enabled?: boolean;
}

export interface UserMemory extends MemoryChanges {
  memories: Memory[];
  isLoading: boolean;
  /** Whether these are still the memories of the filter before. */
  isPreviousFilter: boolean;
  isLoadingMore: boolean;
  error: Error | null;
  hasMore: boolean;
  loadMore: () => Promise<unknown>;
  refresh: () => Promise<unknown>;
}

export function useUserMemory(options: UserMemoryOptions = {}): UserMemory {
  const { pageSize = 50, enabled = true, ...filter } = options;
  const { client, cache } = useKeepsake();
  const query = useInfiniteQuery(
    {
      queryKey: [SCOPE, "memories", filter, pageSize],
      queryFn: ({ pageParam }) => fetchPage(client, filter, pageParam, pageSize),
      initialPageParam: 0,
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
      enabled,
    },
    cache,
  );
  useChangeWatch(enabled);
  const changes = useMemoryChanges();
  const found = useMemo(() => uniqueById(query.data?.pages.flatMap((page) => page.memories) ?? []), [query.data]);
  const memories = useUnexpired(found, VIEWS_OF_CURRENT.has(filter.view ?? "current"));
  const { fetchNextPage, refetch } = query;
  return {
    ...changes,
    memories,
    isLoading: query.isLoading,
    isPreviousFilter: query.isPlaceholderData,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    hasMore: query.hasNextPage,
    loadMore: useCallback(() => fetchNextPage(), [fetchNextPage]),
    refresh: useCallback(() => refetch(), [refetch]),
  };
}

/** Leaves a memory out when its time has come, and reads the totals again then. */
function useUnexpired(memories: Memory[], isWanted: boolean): Memory[] {
  const { refresh } = useKeepsake();
  const [now, setNow] = useState(Date.now);
  const ends = memories.map((memory) => endOf(memory)).filter((end) => isWanted && end > now);
  const next = Math.min(...ends);
  useEffect(() => {
    if (next === Infinity) return;
    const wake = () => {
      setNow(Date.now());
      void refresh();
    };
    const timer = setTimeout(wake, Math.min(next - Date.now() + 1, MAX_TIMEOUT));
    return () => clearTimeout(timer);
  }, [next, now, refresh]);
  return useMemo(() => (isWanted ? memories.filter((memory) => endOf(memory) > now) : memories), [memories, isWanted, now]);
}

/** Polls for a sign of a change, and only then reads the lists again, however many pages they have. */
function useChangeWatch(enabled: boolean): void {
  const { client, cache, reportedPollMilliseconds } = useKeepsake();
  const { data: change } = useQuery(
    {
      queryKey: [SCOPE, "newest-change"],
      queryFn: () => fetchNewestChange(client),
      refetchInterval: reportedPollMilliseconds,
      enabled,
    },
    cache,
  );
  const before = useRef(change);
  useEffect(() => {
    if (before.current && change !== before.current) readAgain(cache, [SCOPE, "memories"]);
    before.current = change;
  }, [cache, change]);
}

/** A memory that moved to the next page while the pages were read would be there twice. */
function uniqueById(memories: Memory[]): Memory[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()];
}
