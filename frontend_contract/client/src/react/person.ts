/** Who is signed in: whose rows the hooks read, and what is dropped when somebody else signs in. */
import type { QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { RequestError } from "./errors";
import type { KeepsakeClient } from "./rows";

export type ReadToken = () => Promise<string | null>;

/** A person's id; null where nobody is signed in, undefined where that is not known. */
export type Person = string | null | undefined;

/** Returns what reads the token that the client sends. */
export function createTokenReader(client: KeepsakeClient, getAccessToken: ReadToken | undefined): ReadToken {
  const read = getAccessToken ?? accessTokenOf(client);
  if (read) return read;
  return async () => {
    const { data, error } = await client.auth.getSession();
    if (error) throw new RequestError(error.message, error.code ?? "unauthenticated", error.status ?? 0);
    return data.session?.access_token ?? null;
  };
}

/** Who was last known to be signed in, at once and as a state. When that becomes somebody else, everything is read anew. */
export function usePerson(client: KeepsakeClient, cache: QueryClient, readToken: ReadToken): [RefObject<Person>, Person] {
  const person = useRef<Person>(undefined);
  const [id, setId] = useState<Person>(undefined);
  const become = useCallback(
    (id: Person) => {
      if (id === undefined || id === person.current) return;
      const isFirst = person.current === undefined;
      person.current = id;
      setId(id);
      if (!isFirst) void cache.resetQueries();
    },
    [cache],
  );
  const look = useCallback(() => void readToken().then(personOf, () => undefined).then(become), [readToken, become]);
  useEffect(look); // an application renders again when somebody else signs in
  useEffect(
    () =>
      cache.getQueryCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "fetch") look();
      }),
    [cache, look],
  );
  useEffect(() => {
    if (accessTokenOf(client)) return; // which has no sign-in of its own
    const { data } = client.auth.onAuthStateChange((event, session) => {
      become(session?.user.id ?? (event === "SIGNED_OUT" ? null : undefined));
    });
    return () => data.subscription.unsubscribe();
  }, [client, become]);
  return [person, id];
}

function accessTokenOf(client: KeepsakeClient): ReadToken | undefined {
  return (client as unknown as { accessToken?: ReadToken }).accessToken;
}

function personOf(token: string | null): Person {
  if (!token) return null;
  try {
    const claims = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    return (JSON.parse(atob(claims)) as { sub?: string }).sub;
  } catch {
    return undefined;
  }
}
