/** Who is signed in, with a supabase-js client that acts as them: a demo person, a token's, or by Supabase Auth. */
import { createClient, type Session } from "@supabase/supabase-js";
import type { Database } from "../../src/contract/database.types";
import type { KeepsakeClient } from "../../src/react";
import { unwrap } from "../../src/react/errors";
import { fetchDemoToken, type Setup } from "./backend";

export interface Person {
  user_id: string;
  email: string;
  name: string;
  client: KeepsakeClient;
  getAccessToken: () => Promise<string>;
}

/** Sign a demo person in. */
export async function signInDemoPerson(setup: Setup, email: string): Promise<Person> {
  const { access_token, user_id, name } = await fetchDemoToken(email);
  return { user_id, email, name, ...clientOfToken(setup, access_token) };
}

/** The person that a token names; whether it is valid, the stack decides. */
export function personOfToken(setup: Setup, token: string): Person {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const { sub, email = "" } = JSON.parse(atob(payload)) as { sub: string; email?: string };
  return { user_id: sub, email, name: nameOf(email), ...clientOfToken(setup, token) };
}

/** A client that signs people in with Supabase Auth, keeps their session in this browser and renews it. */
export function createAuthClient(setup: Setup): KeepsakeClient {
  return createClient<Database>(location.origin, setup.publishable_key);
}

/** The person of a session; their main profile is made the first time, since a chat without one remembers nothing. */
export async function personOfSession(client: KeepsakeClient, { user }: Session): Promise<Person> {
  const email = user.email ?? "";
  const name = nameOf(email);
  const profiles = unwrap(await client.from("user_profile_list").select("id").eq("is_primary", true));
  if (!profiles.length) {
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    unwrap(await client.from("user_profile_list").insert({ user_id: user.id, name, timezone, is_primary: true }));
  }
  const getAccessToken = async () => (await client.auth.getSession()).data.session?.access_token ?? "";
  return { user_id: user.id, email, name, client, getAccessToken };
}

function clientOfToken(setup: Setup, token: string): Pick<Person, "client" | "getAccessToken"> {
  const getAccessToken = () => Promise.resolve(token);
  const client = createClient<Database>(location.origin, setup.publishable_key, { accessToken: getAccessToken });
  return { client, getAccessToken };
}

function nameOf(email: string): string {
  const [name = ""] = email.split("@");
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
