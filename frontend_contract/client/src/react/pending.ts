/** Which changes are on their way to the database, in what order, and reading again what they do not concern. */
import type { QueryClient } from "@tanstack/react-query";

interface Change {
  row: string | null;
  ended: Promise<void>;
}

const pending = new WeakMap<QueryClient, Set<Change>>();

/** Begin a change of one row, or with null of any rows. It may be sent after `turn`, when all earlier ones of the row have ended;
 * call `end` once it has ended itself, which says whether it was the last one. */
export function beginChange(cache: QueryClient, row: string | null): { turn: Promise<unknown>; end: () => boolean } {
  const changes = pending.get(cache) ?? new Set<Change>();
  pending.set(cache, changes);
  const earlier = [...changes].filter((other) => row === null || other.row === null || other.row === row);
  let finish = (): void => undefined;
  const change = { row, ended: new Promise<void>((resolve) => (finish = resolve)) };
  changes.add(change);
  const end = () => {
    changes.delete(change);
    finish();
    return changes.size === 0;
  };
  return { turn: Promise.all(earlier.map(({ ended }) => ended)), end };
}

/** Read again what is cached under a key; while a change is on its way this is left to its end. */
export function readAgain(cache: QueryClient, queryKey: readonly unknown[]): void {
  if (!pending.get(cache)?.size) void cache.invalidateQueries({ queryKey });
}
