/** The people, places and things that memories are about, and names that may mean the same one. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { unwrap } from "./errors";
import { SCOPE, useKeepsake } from "./provider";
import type { AliasProposal, Entity, OperationResult } from "./rows";

export interface Entities {
  entities: Entity[];
  proposals: AliasProposal[];
  isLoading: boolean;
  error: Error | null;
  rename: (entityId: string, label: string) => Promise<OperationResult>;
  addAlias: (entityId: string, alias: string) => Promise<OperationResult>;
  removeAlias: (entityId: string, alias: string) => Promise<OperationResult>;
  confirmAlias: (proposalId: string) => Promise<OperationResult>;
  refuseAlias: (proposalId: string) => Promise<OperationResult>;
}

export function useEntities(options: { enabled?: boolean } = {}): Entities {
  const { client, cache, pollMilliseconds, refresh } = useKeepsake();
  const query = useQuery(
    {
      queryKey: [SCOPE, "entities"],
      queryFn: async () => {
        const [entities, proposals] = await Promise.all([
          client.from("user_memory_entities").select("*").order("label").then(unwrap),
          client.from("user_memory_alias_proposals").select("*").eq("status", "proposed").order("created_at").then(unwrap),
        ]);
        return { entities, proposals };
      },
      refetchInterval: pollMilliseconds,
      enabled: options.enabled ?? true,
    },
    cache,
  );
  const actions = useMemo(() => {
    const finish = async (result: PromiseLike<Parameters<typeof unwrap>[0]>): Promise<OperationResult> => {
      const operation = unwrap(await result) as OperationResult;
      await refresh();
      return operation;
    };
    return {
      rename: (entity_id: string, label: string) => finish(client.rpc("rename_entity", { entity_id, label })),
      addAlias: (entity_id: string, alias: string) => finish(client.rpc("add_entity_alias", { entity_id, alias })),
      removeAlias: (entity_id: string, alias: string) => finish(client.rpc("remove_entity_alias", { entity_id, alias })),
      confirmAlias: (proposal_id: string) => finish(client.rpc("confirm_alias", { proposal_id })),
      refuseAlias: (proposal_id: string) => finish(client.rpc("refuse_alias", { proposal_id })),
    };
  }, [client, refresh]);
  return {
    entities: query.data?.entities ?? [],
    proposals: query.data?.proposals ?? [],
    isLoading: query.isLoading,
    error: query.error,
    ...actions,
  };
}
