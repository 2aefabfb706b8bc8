/** What the hooks ask of `user_memory`: pages, search, memories by id, and the values a memory replaced. */
import { unwrap } from "./errors";
import type { KeepsakeClient, Memory, MemoryType } from "./rows";

/** Which memories: those that hold, those in doubt, and what holds no more. */
export type MemoryView = "current" | "doubted" | "replaced" | "archived" | "deleted";

/** The views of what holds. */
export const VIEWS_OF_CURRENT: ReadonlySet<MemoryView> = new Set(["current", "doubted"]);

export interface MemoryFilter {
  view?: MemoryView;
  types?: readonly MemoryType[];
  profileId?: string | null;
  source?: string | null;
  /** Only those that are pinned. */
  pinnedOnly?: boolean;
  /** Full-text search: "exact words", -without, or the beginnings of words. */
  search?: string;
  /** ISO times; memories made since, and before. */
  since?: string | null;
  before?: string | null;
}

export interface Page {
  memories: Memory[];
  next: number | null;
}

/** The most that one search returns. */
export const MAX_FOUND = 100;
const MAX_REPLACED = 20;

/** Read one page, newest first, where pinned ones of those that hold come before all others; a search is one page, best first. */
export async function fetchPage(
  client: KeepsakeClient,
  filter: MemoryFilter,
  offset: number,
  size: number,
): Promise<Page> {
  const { view = "current", types = [], profileId, source, pinnedOnly, since, before } = filter;
  const search = filter.search?.trim();
  const isSearch = Boolean(search) && view === "current";
  let query = isSearch
    ? client.rpc("search_user_memory", {
        query: search as string,
        max_results: MAX_FOUND,
        ...(types.length ? { types: [...types] } : {}),
      })
    : client.from("user_memory").select("*");
  if (!isSearch && types.length) query = query.in("memory_type", [...types]);
  if (!isSearch && search) query = query.ilike("memory_text", `%${search.replace(/[%_\\]/g, "\\$&")}%`);
  if (profileId) query = query.eq("profile_id", profileId);
  if (source) query = query.eq("source", source);
  if (pinnedOnly) query = query.eq("pinned", true);
  if (since) query = query.gte("created_at", since);
  if (before) query = query.lt("created_at", before);
  if (!isSearch) {
    query = inView(query, view);
    if (VIEWS_OF_CURRENT.has(view)) query = query.order("pinned", { ascending: false });
    query = query.order("created_at", { ascending: false }).order("memory_no", { ascending: false });
  }
  const memories = unwrap(await (isSearch ? query : query.range(offset, offset + size))) as Memory[];
  if (isSearch) return { memories, next: null };
  return { memories: memories.slice(0, size), next: memories.length > size ? offset + size : null };
}

interface Filterable {
  eq(column: string, value: unknown): this;
  in(column: string, values: readonly unknown[]): this;
  or(filters: string): this;
  not(column: string, operator: string, value: unknown): this;
}

function inView<Query extends Filterable>(query: Query, view: MemoryView): Query {
  const now = new Date().toISOString();
  switch (view) {
    case "current":
      return query.eq("status", "active").or(`expires_at.is.null,expires_at.gt.${now}`);
    case "doubted":
      return query.eq("status", "active").not("doubted_at", "is", null).or(`expires_at.is.null,expires_at.gt.${now}`);
    case "replaced":
      return query.eq("status", "superseded");
    case "archived":
      return query.or(`status.in.(archived,expired),and(status.eq.active,expires_at.lte.${now})`);
    case "deleted":
      return query.eq("status", "deleted");
  }
}

/** Read what differs after any change of a memory: how many there are, and when one last changed. */
export async function fetchNewestChange(client: KeepsakeClient): Promise<string> {
  const newest = client.from("user_memory").select("updated_at", { count: "exact" });
  const answer = await newest.order("updated_at", { ascending: false }).limit(1);
  return `${answer.count} ${unwrap(answer)[0]?.updated_at}`;
}

/** Read memories by their ids, whatever their status. */
export async function fetchByIds(client: KeepsakeClient, ids: readonly string[]): Promise<Memory[]> {
  if (!ids.length) return [];
  return unwrap(await client.from("user_memory").select("*").in("id", [...ids]));
}

/** Read what was remembered from one message. */
export async function fetchOfMessage(client: KeepsakeClient, messageId: string): Promise<Memory[]> {
  return unwrap(
    await client.from("user_memory").select("*").eq("source_message_id", messageId).eq("status", "active"),
  );
}

/** Read the values that a memory replaced, newest first. */
export async function fetchReplaced(client: KeepsakeClient, memory: Memory): Promise<Memory[]> {
  const replaced: Memory[] = [];
  let next = memory.supersedes_id;
  while (next && replaced.length < MAX_REPLACED) {
    const [row] = await fetchByIds(client, [next]);
    if (!row) break;
    replaced.push(row);
    next = row.supersedes_id;
  }
  return replaced;
}
