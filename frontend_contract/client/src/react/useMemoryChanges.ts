/** Changes of memories: shown at once, taken back where the database refuses, and each with the id that undoes it. */
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { unwrap } from "./errors";
import type { Page } from "./memory_queries";
import { SCOPE, useKeepsake, type Keepsake } from "./provider";
import type { KeepsakeClient, Memory, OperationResult } from "./rows";

/** The columns that a person may write themselves. */
export type MemoryPatch = Partial<Pick<Memory, "memory_text" | "pinned" | "importance" | "expires_at">>;

export interface MemoryChanges {
  update: (memory: Memory, patch: MemoryPatch) => Promise<OperationResult>;
  confirm: (memory: Memory) => Promise<OperationResult>;
  end: (memory: Memory) => Promise<OperationResult>;
  forget: (memory: Memory) => Promise<OperationResult>;
  restore: (memory: Memory) => Promise<OperationResult>;
  clear: () => Promise<OperationResult>;
  undo: (operationId: string) => Promise<OperationResult>;
}

export function useMemoryChanges(): MemoryChanges {
  const keepsake = useKeepsake();
  return useMemo(() => createChanges(keepsake), [keepsake]);
}

type Lists = [readonly unknown[], InfiniteData<Page> | undefined][];
type StateChange = "confirm_memory" | "end_memory" | "forget_memory" | "restore_memory";

function createChanges({ client, cache }: Pick<Keepsake, "client" | "cache">): MemoryChanges {
  const change = async (
    optimistic: (memories: Memory[]) => Memory[],
    send: () => Promise<OperationResult>,
  ): Promise<OperationResult> => {
    await cache.cancelQueries({ queryKey: [SCOPE, "memories"] });
    const before = replaceInLists(cache, optimistic);
    try {
      return await send();
    } catch (error) {
      for (const [key, data] of before) cache.setQueryData(key, data);
      throw error;
    } finally {
      void cache.invalidateQueries({ queryKey: [SCOPE] });
    }
  };
  const remove = (memory: Memory) => (list: Memory[]) => list.filter((each) => each.id !== memory.id);
  const patch = (memory: Memory, values: Partial<Memory>) => (list: Memory[]) =>
    list.map((each) => (each.id === memory.id ? { ...each, ...values } : each));
  const call = (name: StateChange, memory: Memory) => async () =>
    unwrap(await client.rpc(name, { memory_id: memory.id })) as unknown as OperationResult;
  return {
    update: (memory, values) => change(patch(memory, values), () => sendPatch(client, memory, values)),
    confirm: (memory) =>
      change(patch(memory, { confidence_score: 1, doubted_at: null }), call("confirm_memory", memory)),
    end: (memory) => change(remove(memory), call("end_memory", memory)),
    forget: (memory) => change(remove(memory), call("forget_memory", memory)),
    restore: (memory) => change(remove(memory), call("restore_memory", memory)),
    clear: () =>
      change(
        () => [],
        async () => unwrap(await client.rpc("clear_my_memories")) as unknown as OperationResult,
      ),
    undo: (operationId) =>
      change(
        (list) => list,
        async () =>
          unwrap(await client.rpc("undo_operation", { operation_id: operationId })) as unknown as OperationResult,
      ),
  };
}

/** Show a change in every list that is loaded; returns what they held before. */
function replaceInLists(cache: QueryClient, replace: (memories: Memory[]) => Memory[]): Lists {
  const before = cache.getQueriesData<InfiniteData<Page>>({ queryKey: [SCOPE, "memories"] });
  cache.setQueriesData<InfiniteData<Page>>({ queryKey: [SCOPE, "memories"] }, (data) =>
    data ? { ...data, pages: data.pages.map((page) => ({ ...page, memories: replace(page.memories) })) } : data,
  );
  return before;
}

async function sendPatch(client: KeepsakeClient, memory: Memory, values: MemoryPatch): Promise<OperationResult> {
  const rows = unwrap(await client.from("user_memory").update(values).eq("id", memory.id).select("id"));
  const operation = rows.length ? await newestOperation(client, memory.id) : null;
  return { operation_id: operation, affected: rows.length };
}

/** Read the id of the newest operation on a memory, for undo. */
export async function newestOperation(client: KeepsakeClient, memoryId: string): Promise<string | null> {
  const operations = unwrap(await client.rpc("memory_operations", { max_results: 1, memory_id: memoryId }));
  return operations[0]?.operation_id ?? null;
}
