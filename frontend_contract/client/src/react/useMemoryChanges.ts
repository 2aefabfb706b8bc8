/** Changes of memories: shown at once, taken back where the database refuses, and each with the id that undoes it. */
import type { InfiniteData } from "@tanstack/react-query";
import { useMemo } from "react";
import { unwrap } from "./errors";
import type { Page } from "./memory_queries";
import { changeAtOnce } from "./optimistic";
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

type StateChange = "confirm_memory" | "end_memory" | "forget_memory" | "restore_memory";

function createChanges(keepsake: Keepsake): MemoryChanges {
  const { client } = keepsake;
  const change = (id: string | null, replace: (memories: Memory[]) => Memory[], send: () => Promise<OperationResult>) =>
    changeAtOnce(keepsake, [SCOPE, "memories"], id, (list: InfiniteData<Page>) => replaceInPages(list, replace), send);
  const remove = (memory: Memory) => (list: Memory[]) => list.filter((each) => each.id !== memory.id);
  const patch = (memory: Memory, values: Partial<Memory>) => (list: Memory[]) =>
    list.map((each) => (each.id === memory.id ? { ...each, ...values } : each));
  const call = (name: StateChange, memory: Memory) => async () =>
    unwrap(await client.rpc(name, { memory_id: memory.id })) as unknown as OperationResult;
  return {
    update: (memory, values) => change(memory.id, patch(memory, values), () => sendPatch(client, memory, values)),
    confirm: (memory) =>
      change(memory.id, patch(memory, { confidence_score: 1, doubted_at: null }), call("confirm_memory", memory)),
    end: (memory) => change(memory.id, remove(memory), call("end_memory", memory)),
    forget: (memory) => change(memory.id, remove(memory), call("forget_memory", memory)),
    restore: (memory) => change(memory.id, remove(memory), call("restore_memory", memory)),
    clear: () =>
      change(
        null,
        () => [],
        async () => unwrap(await client.rpc("clear_my_memories")) as unknown as OperationResult,
      ),
    undo: (operationId) =>
      change(
        null,
        (list) => list,
        async () =>
          unwrap(await client.rpc("undo_operation", { operation_id: operationId })) as unknown as OperationResult,
      ),
  };
}

function replaceInPages(list: InfiniteData<Page>, replace: (memories: Memory[]) => Memory[]): InfiniteData<Page> {
  return { ...list, pages: list.pages.map((page) => ({ ...page, memories: replace(page.memories) })) };
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
