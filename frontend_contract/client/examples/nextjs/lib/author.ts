/** Who asks: the person's own row in the conversation. The application's policies may show them those of others too. */

/** The id of the person whose token the request carries, if they take part in the conversation; else null. */
export async function authorOf(request: Request, conversationId: string): Promise<string | null> {
  const { SUPABASE_URL = "", SUPABASE_PUBLISHABLE_KEY = "" } = process.env;
  const authorization = request.headers.get("authorization") ?? "";
  const userId = subjectOf(authorization);
  if (!userId) return null;
  const url = new URL("/rest/v1/conversations_participants", SUPABASE_URL);
  url.searchParams.set("conversation_id", `eq.${conversationId}`);
  url.searchParams.set("user_id", `eq.${userId}`);
  url.searchParams.set("select", "user_id");
  // The server checks the signature of the token: a forged one gets no answer.
  const answer = await fetch(url, { headers: { apikey: SUPABASE_PUBLISHABLE_KEY, authorization } });
  if (!answer.ok) return null;
  const [row] = (await answer.json()) as { user_id: string }[];
  return row?.user_id ?? null;
}

/** Whom a token names. */
function subjectOf(authorization: string): string | null {
  try {
    const claims = Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString();
    return (JSON.parse(claims) as { sub?: string }).sub ?? null;
  } catch {
    return null;
  }
}
