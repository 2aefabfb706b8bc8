/** Watches for what is remembered from a message that was just sent. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { fetchOfMessage } from "./memory_queries";
import { SCOPE, useKeepsake } from "./provider";
import type { Memory } from "./rows";
import { newestOperation, useMemoryChanges } from "./useMemoryChanges";

const WATCH_MILLISECONDS = 20_000;
const POLL_MILLISECONDS = 700;

export interface SavedMemories {
  memories: Memory[];
  /** Takes back what the message changed, replaced memories included. */
  undo: () => Promise<void>;
}

/** The memories made from a message; looked for during the next 20 seconds. */
export function useSavedMemories(messageId: string | null): SavedMemories {
  const { client, cache, refresh } = useKeepsake();
  const { undo } = useMemoryChanges();
  const [isWatching, setIsWatching] = useState(false);
  useEffect(() => {
    if (messageId === null) return;
    setIsWatching(true);
    const timer = setTimeout(() => setIsWatching(false), WATCH_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [messageId]);
  const query = useQuery(
    {
      queryKey: [SCOPE, "of-message", messageId],
      queryFn: () => fetchOfMessage(client, messageId as string),
      refetchInterval: ({ state }) => (isWatching && !state.data?.length ? POLL_MILLISECONDS : false),
      enabled: messageId !== null && isWatching,
    },
    cache,
  );
  const memories = (messageId !== null && query.data) || NONE;
  useEffect(() => {
    if (memories.length) void cache.invalidateQueries({ queryKey: [SCOPE, "memories"] });
  }, [memories, cache]);
  const undoAll = useCallback(async () => {
    const found = await Promise.all(memories.map((memory) => newestOperation(client, memory.id)));
    for (const operation of new Set(found)) if (operation) await undo(operation);
    await refresh();
  }, [memories, client, undo, refresh]);
  return { memories, undo: undoAll };
}
const NONE: Memory[] = [];
