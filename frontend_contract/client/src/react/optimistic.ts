/** Shows a change before the database has made it, and takes it back where the database refuses. */
import { beginChange } from "./pending";
import type { Keepsake, SCOPE } from "./provider";

/** Replace what is cached under a key, send the change once those before it of the same row have ended (null: of any row), and
 * read everything again after the last one that is on its way: an answer in between would show for a moment what the person
 * has already changed. */
export async function changeAtOnce<Cached, Result>(
  { cache, refresh, person }: Pick<Keepsake, "cache" | "refresh" | "person">,
  queryKey: readonly [typeof SCOPE, string],
  row: string | null,
  replace: (cached: Cached) => Cached,
  send: () => Promise<Result>,
): Promise<Result> {
  const author = person.current;
  const { turn, end } = beginChange(cache, row);
  try {
    const cancelled = cache.cancelQueries({ queryKey });
    const before = cache.getQueriesData<Cached>({ queryKey });
    cache.setQueriesData<Cached>({ queryKey }, (cached) => cached && replace(cached)); // with the click, before any wait
    await cancelled;
    await turn;
    try {
      return await send();
    } catch (error) {
      if (person.current === author) for (const [key, cached] of before) cache.setQueryData(key, cached);
      throw error;
    }
  } finally {
    if (end()) void refresh();
  }
}
