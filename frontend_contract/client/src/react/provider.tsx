/** Gives the hooks their client, and keeps what they read current: by Supabase Realtime, or by polling. */
import { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useMemo, type ReactNode, type RefObject } from "react";
import { useCacheError, useRecovery } from "./connection";
import { request, type RequestError } from "./errors";
import { useLiveUpdates } from "./live";
import { createTokenReader, usePerson, type Person, type ReadToken } from "./person";
import type { KeepsakeClient } from "./rows";

export interface KeepsakeProviderProps {
  /** A supabase-js client that is signed in as the person. */
  client: KeepsakeClient;
  /** Where Keepsake's functions are; default: `/functions/v1` of the client's project. */
  functionsUrl?: string;
  /** Returns the person's token, where the client does not know it. */
  getAccessToken?: () => Promise<string | null>;
  /** `realtime`, the default, falls back to polling while no channel can be joined. */
  live?: "realtime" | "polling";
  /** Seconds between two polls; default 10. */
  pollSeconds?: number;
  children: ReactNode;
}

export interface Keepsake {
  client: KeepsakeClient;
  cache: QueryClient;
  pollMilliseconds: number;
  /** How often to read what Realtime reports; seldom while it does. */
  reportedPollMilliseconds: number;
  call: (name: string, body: BodyInit, init?: CallOptions) => Promise<Response>;
  /** Who was last known to be signed in. */
  person: RefObject<Person>;
  /** Read everything again that is shown. */
  refresh: () => Promise<void>;
}

export interface CallOptions {
  query?: string;
  contentType?: string;
  accepted?: readonly number[];
}

/** The first part of every query key. */
export const SCOPE = "keepsake" as const;

/** A channel can look joined and report nothing. */
const POLL_MILLISECONDS_WITH_REALTIME = 60_000;

const KeepsakeContext = createContext<Keepsake | null>(null);

export function KeepsakeProvider(props: KeepsakeProviderProps): ReactNode {
  const { client, functionsUrl, getAccessToken, live = "realtime", pollSeconds = 10, children } = props;
  const cache = useMemo(createCache, [client]);
  useRecovery(cache, pollSeconds * 1000);
  const readToken = useMemo(() => createTokenReader(client, getAccessToken), [client, getAccessToken]);
  const [person, personId] = usePerson(client, cache, readToken);
  const isSubscribed = useLiveUpdates(client, cache, {
    person: live === "realtime" ? personId : null,
    scope: SCOPE,
    readOwnToken: getAccessToken ?? null,
  });
  const value = useMemo<Keepsake>(
    () => ({
      client,
      cache,
      pollMilliseconds: pollSeconds * 1000,
      reportedPollMilliseconds: Math.max(pollSeconds * 1000, isSubscribed ? POLL_MILLISECONDS_WITH_REALTIME : 0),
      call: createCaller(client, functionsUrl, readToken),
      person,
      refresh: () => cache.invalidateQueries({ queryKey: [SCOPE] }),
    }),
    [client, cache, isSubscribed, pollSeconds, functionsUrl, readToken, person],
  );
  useEffect(() => {
    cache.mount();
    return () => cache.unmount();
  }, [cache]);
  return <KeepsakeContext value={value}>{children}</KeepsakeContext>;
}

/** The client, the cache and the functions of the nearest `KeepsakeProvider`. */
export function useKeepsake(): Keepsake {
  const value = useContext(KeepsakeContext);
  if (!value) throw new Error("Put a <KeepsakeProvider> around what uses Keepsake's hooks.");
  return value;
}

/** Why the server cannot be used at present: no answer, an expired sign-in, too many requests; null while it can. What was
 * read before stays, and is read again until the server is back. */
export function useConnectionError(): RequestError | null {
  return useCacheError(useKeepsake().cache);
}

function createCache(): QueryClient {
  // Without a network a request fails as without a server, so that one thing notices both, and reads again.
  return new QueryClient({
    defaultOptions: { queries: { staleTime: 1000, retry: false, networkMode: "always", refetchOnReconnect: true } },
  });
}

function createCaller(
  client: KeepsakeClient,
  functionsUrl: string | undefined,
  readToken: ReadToken,
): Keepsake["call"] {
  const base = functionsUrl ?? `${(client as unknown as { supabaseUrl: string }).supabaseUrl}/functions/v1`;
  return async (name, body, { query = "", contentType = "application/json", accepted = [] } = {}) => {
    const headers = { "content-type": contentType, authorization: `Bearer ${(await readToken()) ?? ""}` };
    return request(`${base.replace(/\/$/, "")}/${name}${query}`, { method: "POST", headers, body }, accepted);
  };
}
