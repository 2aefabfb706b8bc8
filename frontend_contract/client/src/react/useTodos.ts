/** What the person wants to do, keeps doing, waits for or is stuck with. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { unwrap } from "./errors";
import { changeAtOnce } from "./optimistic";
import { SCOPE, useKeepsake, type Keepsake } from "./provider";
import type { KeepsakeClient, OperationResult, Todo } from "./rows";

const TODOS = [SCOPE, "todos"] as const;
const MAX_TODOS = 500;
const MAX_OPERATIONS = 5;

/** The columns that a person may write themselves. */
export type TodoPatch = Partial<Pick<Todo, "todo_text" | "kind" | "status" | "due_date">>;

export interface Todos {
  /** Open ones first, those due soonest before the others; then the closed ones, newest first. */
  todos: Todo[];
  isLoading: boolean;
  error: Error | null;
  update: (todo: Todo, patch: TodoPatch) => Promise<OperationResult>;
  forget: (todo: Todo) => Promise<OperationResult>;
}

export function useTodos(options: { enabled?: boolean } = {}): Todos {
  const keepsake = useKeepsake();
  const { client, cache, reportedPollMilliseconds } = keepsake;
  const query = useQuery(
    {
      queryKey: TODOS,
      queryFn: () => fetchTodos(client),
      refetchInterval: reportedPollMilliseconds,
      enabled: options.enabled ?? true,
    },
    cache,
  );
  const changes = useMemo(() => createChanges(keepsake), [keepsake]);
  const todos = useMemo(() => [...(query.data ?? [])].sort(compareTodos), [query.data]);
  return { todos, isLoading: query.isLoading, error: query.error, ...changes };
}

async function fetchTodos(client: KeepsakeClient): Promise<Todo[]> {
  const rows = await client.from("user_memory_todos").select("*").order("opened_at", { ascending: false }).limit(MAX_TODOS);
  return unwrap(rows) as Todo[];
}

function compareTodos(one: Todo, other: Todo): number {
  if ((one.status === "open") !== (other.status === "open")) return one.status === "open" ? -1 : 1;
  if (one.status !== "open") return (other.closed_at ?? "").localeCompare(one.closed_at ?? "");
  return (one.due_date ?? "9999").localeCompare(other.due_date ?? "9999") || other.opened_at.localeCompare(one.opened_at);
}

function createChanges(keepsake: Keepsake): Pick<Todos, "update" | "forget"> {
  const { client } = keepsake;
  const change = (id: string, replace: (todos: Todo[]) => Todo[], send: () => Promise<OperationResult>) =>
    changeAtOnce(keepsake, TODOS, id, replace, send);
  return {
    update: (todo, patch) =>
      change(
        todo.id,
        (todos) => todos.map((each) => (each.id === todo.id ? { ...each, ...patch } : each)),
        async () => {
          const rows = unwrap(await client.from("user_memory_todos").update(patch).eq("id", todo.id).select("id"));
          return { operation_id: rows.length ? await ownNewestOperation(client) : null, affected: rows.length };
        },
      ),
    forget: (todo) =>
      change(
        todo.id,
        (todos) => todos.filter((each) => each.id !== todo.id),
        async () => unwrap(await client.rpc("forget_todo", { todo: todo.id })) as unknown as OperationResult,
      ),
  };
}

/** The id of what the person has just done to a to-do, for undo: their newest operation on no memory. */
async function ownNewestOperation(client: KeepsakeClient): Promise<string | null> {
  const operations = unwrap(await client.rpc("memory_operations", { max_results: MAX_OPERATIONS }));
  const own = operations.find(({ actor, memories }) => actor === "user" && Array.isArray(memories) && !memories.length);
  return own?.operation_id ?? null;
}
