/** What stands behind memories: their conversation and quoted words, what they replaced, and memories by id. */
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { isUnavailable, unwrap } from "./errors";
import { fetchByIds, fetchReplaced } from "./memory_queries";
import { SCOPE, useKeepsake } from "./provider";
import type { Conversation, KeepsakeClient, Memory, Message, Operation, Profile } from "./rows";

const MAX_CONVERSATIONS = 1000;

export interface MemoryDetails {
  message: Pick<Message, "id" | "content" | "created_at"> | null;
  replaced: Memory[];
  operations: Operation[];
  /** The operation by which the memory ended or became doubtful, and its message. */
  ending: { operation: Operation; message: MemoryDetails["message"] } | null;
}

/** The source message, the replaced values and the operations of one memory; null reads nothing. */
export function useMemoryDetails(memory: Memory | null): { details: MemoryDetails | undefined; error: Error | null } {
  const { client, cache } = useKeepsake();
  const query = useQuery(
    {
      queryKey: [SCOPE, "details", memory?.id, memory?.updated_at],
      queryFn: async (): Promise<MemoryDetails> => {
        const { id, source_message_id } = memory as Memory;
        const [message, replaced, operations] = await Promise.all([
          source_message_id ? fetchMessage(client, source_message_id) : null,
          fetchReplaced(client, memory as Memory),
          client.rpc("memory_operations", { memory_id: id }).then(unwrap),
        ]);
        const found = operations as unknown as Operation[];
        return { message, replaced, operations: found, ending: await fetchEnding(client, memory as Memory, found) };
      },
      enabled: memory !== null,
      // What stands below must not move away under the pointer while the details of a changed memory are read anew.
      placeholderData: (before, query) => (query?.queryKey[2] === memory?.id ? before : undefined),
    },
    cache,
  );
  return { details: query.data, error: query.error };
}

/** What ended the memory or made it doubtful: the newest change of its state that was not undone. */
async function fetchEnding(client: KeepsakeClient, memory: Memory, operations: Operation[]): Promise<MemoryDetails["ending"]> {
  for (const operation of operations) {
    const change = operation.memories.find((each) => each.memory_id === memory.id);
    const hasEnded = memory.status !== "active" && change?.status_after === memory.status && change.status_before !== memory.status;
    if (!change || operation.undone_at || !(hasEnded || (memory.doubted_at && change.is_doubted))) continue;
    return { operation, message: change.message_id ? await fetchMessage(client, change.message_id) : null };
  }
  return null;
}

/** The message, if the person may read it. */
async function fetchMessage(client: KeepsakeClient, id: string): Promise<MemoryDetails["message"]> {
  const found = await client.rpc("source_message", { message_id: id }).maybeSingle();
  try {
    return unwrap(found);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return null;
  }
}

/** Memories by their ids, in that order; those of other people and erased ones are left out. */
export function useMemoriesById(ids: readonly string[]): Memory[] {
  const { client, cache } = useKeepsake();
  const query = useQuery(
    {
      queryKey: [SCOPE, "by-id", ids],
      queryFn: () => fetchByIds(client, ids),
      enabled: ids.length > 0,
    },
    cache,
  );
  return useMemo(() => {
    const found = new Map((query.data ?? []).map((memory) => [memory.id, memory]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }, [query.data, ids]);
}

/** The person's conversations, newest first. */
export function useConversations(): Conversation[] {
  const { client, cache } = useKeepsake();
  const query = useQuery(
    {
      queryKey: [SCOPE, "conversations"],
      queryFn: async () =>
        unwrap(
          await client
            .from("conversations")
            .select("*")
            .order("created_at", { ascending: false })
            .limit(MAX_CONVERSATIONS),
        ),
    },
    cache,
  );
  return query.data ?? NONE;
}
const NONE: never[] = [];

/** The person's profiles, the primary one first. */
export function useProfiles(): Profile[] {
  return useProfilesQuery().data ?? NONE;
}

export function useProfilesQuery(): UseQueryResult<Profile[]> {
  const { client, cache, pollMilliseconds } = useKeepsake();
  return useQuery(
    {
      queryKey: [SCOPE, "profiles"],
      queryFn: async () => unwrap(await client.rpc("memory_profiles")),
      refetchInterval: pollMilliseconds,
    },
    cache,
  );
}
