/** Shows a change before the database has made it, and takes it back where the database refuses. */
import type { QueryClient } from "@tanstack/react-query";
import type { Keepsake, SCOPE } from "./provider";

/** How many changes are on their way. */
const pending = new WeakMap<QueryClient, number>();

/** Read again what is cached under a key; while a change is on its way this is left to its end. */
export function readAgain(cache: QueryClient, queryKey: readonly unknown[]): void {
  if (!pending.get(cache)) void cache.invalidateQueries({ queryKey });
}

/** Replace what is cached under a key, send the change, and read everything again after the last one that is on its way:
 * an answer in between would show for a moment what the person has already changed. */
export async function changeAtOnce<Cached, Result>(
  { cache, refresh, person }: Pick<Keepsake, "cache" | "refresh" | "person">,
  queryKey: readonly [typeof SCOPE, string],
  replace: (cached: Cached) => Cached,
  send: () => Promise<Result>,
): Promise<Result> {
  const author = person.current;
  pending.set(cache, (pending.get(cache) ?? 0) + 1);
  try {
    const cancelled = cache.cancelQueries({ queryKey });
    const before = cache.getQueriesData<Cached>({ queryKey });
    cache.setQueriesData<Cached>({ queryKey }, (cached) => cached && replace(cached)); // with the click, before any wait
    await cancelled;
    try {
      return await send();
    } catch (error) {
      if (person.current === author) for (const [key, cached] of before) cache.setQueryData(key, cached);
      throw error;
    }
  } finally {
    const left = (pending.get(cache) ?? 1) - 1;
    pending.set(cache, left);
    if (!left) void refresh();
  }
}
