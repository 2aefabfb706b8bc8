/** The person's memories, filtered, searched and paged. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { fetchNewestChange, fetchPage, type MemoryFilter } from "./memory_queries";
import { SCOPE, useKeepsake } from "./provider";
import type { Memory } from "./rows";
import { useMemoryChanges, type MemoryChanges } from "./useMemoryChanges";

export interface UserMemoryOptions extends MemoryFilter {
  /** Memories of one page; default 50. */
  pageSize?: number;
  /** False reads nothing, as for a tab that is not shown. */
  enabled?: boolean;
}

export interface UserMemory extends MemoryChanges {
  memories: Memory[];
  isLoading: boolean;
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
  const memories = useMemo(() => uniqueById(query.data?.pages.flatMap((page) => page.memories) ?? []), [query.data]);
  const { fetchNextPage, refetch } = query;
  return {
    ...changes,
    memories,
    isLoading: query.isLoading,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    hasMore: query.hasNextPage,
    loadMore: useCallback(() => fetchNextPage(), [fetchNextPage]),
    refresh: useCallback(() => refetch(), [refetch]),
  };
}

/** Polls for a sign of a change, and only then reads the lists again, however many pages they have. */
function useChangeWatch(enabled: boolean): void {
  const { client, cache, pollMilliseconds } = useKeepsake();
  const { data: change } = useQuery(
    {
      queryKey: [SCOPE, "newest-change"],
      queryFn: () => fetchNewestChange(client),
      refetchInterval: pollMilliseconds,
      enabled,
    },
    cache,
  );
  const before = useRef(change);
  useEffect(() => {
    if (before.current && change !== before.current) void cache.invalidateQueries({ queryKey: [SCOPE, "memories"] });
    before.current = change;
  }, [cache, change]);
}

/** A memory that moved to the next page while the pages were read would be there twice. */
function uniqueById(memories: Memory[]): Memory[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()];
}
