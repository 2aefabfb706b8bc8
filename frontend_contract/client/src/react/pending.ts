/** Which changes are on their way to the database, and reading again what they do not concern. */
import type { QueryClient } from "@tanstack/react-query";

const pending = new WeakMap<QueryClient, number>();

/** Count a change that is on its way; call what it returns once it has ended, which says whether it was the last one. */
export function beginChange(cache: QueryClient): () => boolean {
  pending.set(cache, (pending.get(cache) ?? 0) + 1);
  return () => {
    const left = (pending.get(cache) ?? 1) - 1;
    pending.set(cache, left);
    return left === 0;
  };
}

/** Read again what is cached under a key; while a change is on its way this is left to its end. */
export function readAgain(cache: QueryClient, queryKey: readonly unknown[]): void {
  if (!pending.get(cache)) void cache.invalidateQueries({ queryKey });
}
