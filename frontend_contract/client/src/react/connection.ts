/** Notices that the server cannot be used, keeps what was read, and reads again until it is back. */
import type { Query, QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { isUnavailable, type RequestError } from "./errors";

/** What the newest attempt to read something that is shown failed with, if that was the server's absence. */
export function useCacheError(cache: QueryClient): RequestError | null {
  const subscribe = useCallback((notify: () => void) => cache.getQueryCache().subscribe(notify), [cache]);
  return useSyncExternalStore(subscribe, () => findError(cache), () => null);
}

/** Read what failed again and again, until all of it has been read. */
export function useRecovery(cache: QueryClient, milliseconds: number): void {
  const isAway = useCacheError(cache) !== null;
  useEffect(() => {
    if (!isAway) return;
    const readAgain = () => {
      const limit = Date.now() - milliseconds / 2; // what is polled has been tried since
      const predicate = ({ state }: Query) => isUnavailable(state.error) && state.errorUpdatedAt < limit;
      void cache.refetchQueries({ type: "active", predicate }, { cancelRefetch: false });
    };
    const timer = setInterval(readAgain, milliseconds);
    return () => clearInterval(timer);
  }, [cache, isAway, milliseconds]);
}

function findError(cache: QueryClient): RequestError | null {
  const errors = cache.getQueryCache().findAll({ type: "active" }).map(({ state }) => state.error as unknown);
  return errors.find(isUnavailable) ?? null;
}
