/** The browser's client: it is signed in as the person, and knows no other key. */
import { createClient } from "@supabase/supabase-js";

// Next.js puts the values in while it builds, so each is written out.
const url = process.env.NEXT_PUBLIC_SUPABASE_URL ?? "";
export const supabase = createClient(url, process.env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "");

export async function accessToken(): Promise<string> {
  const { data } = await supabase.auth.getSession();
  return data.session?.access_token ?? "";
}
