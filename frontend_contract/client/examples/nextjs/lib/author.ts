/** Who asks: a person's own row in the conversation, which row-level security shows to nobody else. */

/** The id of the person whose token the request carries, if they take part in the conversation; else null. */
export async function authorOf(request: Request, conversationId: string): Promise<string | null> {
  const { SUPABASE_URL = "", SUPABASE_PUBLISHABLE_KEY = "" } = process.env;
  const url = new URL("/rest/v1/conversations_participants", SUPABASE_URL);
  url.searchParams.set("conversation_id", `eq.${conversationId}`);
  url.searchParams.set("select", "user_id");
  const headers = { apikey: SUPABASE_PUBLISHABLE_KEY, authorization: request.headers.get("authorization") ?? "" };
  const answer = await fetch(url, { headers });
  if (!answer.ok) return null;
  const [row] = (await answer.json()) as { user_id: string }[];
  return row?.user_id ?? null;
}
