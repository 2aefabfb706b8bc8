/** Watches for what is remembered from a message that was just sent. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { fetchOfMessage } from "./memory_queries";
import { SCOPE, useKeepsake } from "./provider";
import type { Memory } from "./rows";
import { newestOperation, useMemoryChanges } from "./useMemoryChanges";

/** A message waits up to ten minutes for a model that is away; then the rules read it. */
const WATCH_MILLISECONDS = 11 * 60_000;
const POLL_MILLISECONDS = 700;
const MAX_POLL_MILLISECONDS = 10_000;

export interface SavedMemories {
  memories: Memory[];
  /** Whether a memory may still come of the message; false once there is one, and after eleven minutes. */
  isWatching: boolean;
  /** Takes back what the message changed, replaced memories included. */
  undo: () => Promise<void>;
}

/** The memories made from a message; looked for less and less often, until there are some or no more can come. */
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
      refetchInterval: ({ state }) =>
        isWatching && Math.min(POLL_MILLISECONDS * 1.1 ** state.dataUpdateCount, MAX_POLL_MILLISECONDS),
      enabled: messageId !== null && isWatching,
    },
    cache,
  );
  const memories = (messageId !== null && query.data) || NONE;
  useEffect(() => {
    if (!memories.length) return;
    setIsWatching(false);
    void refresh();
  }, [memories, refresh]);
  const undoAll = useCallback(async () => {
    const found = await Promise.all(memories.map((memory) => newestOperation(client, memory.id)));
    for (const operation of new Set(found)) if (operation) await undo(operation);
    await refresh();
  }, [memories, client, undo, refresh]);
  return { memories, isWatching, undo: undoAll };
}
const NONE: Memory[] = [];
