/** What was done in the last 30 days, with undo, and what agents ask to have forgotten. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { unwrap } from "./errors";
import { SCOPE, useKeepsake } from "./provider";
import type { Operation, OperationResult, PendingOperation } from "./rows";
import { useMemoryChanges } from "./useMemoryChanges";

export interface Operations {
  operations: Operation[];
  error: Error | null;
  undo: (operationId: string) => Promise<OperationResult>;
}

export function useOperations(maxResults = 50): Operations {
  const { client, cache, pollMilliseconds } = useKeepsake();
  const { undo } = useMemoryChanges();
  const query = useQuery(
    {
      queryKey: [SCOPE, "operations", maxResults],
      queryFn: async () =>
        unwrap(await client.rpc("memory_operations", { max_results: maxResults })) as unknown as Operation[],
      refetchInterval: pollMilliseconds,
    },
    cache,
  );
  return { operations: query.data ?? [], error: query.error, undo };
}

export interface PendingOperations {
  pending: PendingOperation[];
  answer: (operationId: string, accept: boolean) => Promise<OperationResult>;
}

export function usePendingOperations(): PendingOperations {
  const { client, cache, pollMilliseconds, refresh } = useKeepsake();
  const query = useQuery(
    {
      queryKey: [SCOPE, "pending"],
      queryFn: async () => unwrap(await client.rpc("pending_operations")) as unknown as PendingOperation[],
      refetchInterval: pollMilliseconds,
    },
    cache,
  );
  const answer = useCallback(
    async (operationId: string, accept: boolean) => {
      const result = unwrap(await client.rpc("answer_pending_operation", { operation_id: operationId, accept }));
      await refresh();
      return result as unknown as OperationResult;
    },
    [client, refresh],
  );
  return { pending: query.data ?? [], answer };
}
