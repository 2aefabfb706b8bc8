/** A chat, with the memory panel beside it, for a person who has signed in. */
"use client";

import { MemoryPanel, MemoryUiProvider } from "@keepsake/client/panel";
import "@keepsake/client/panel.css";
import { KeepsakeProvider } from "@keepsake/client/react";
import { useEffect, useState } from "react";
import { supabase } from "../lib/supabase";
import { Chat } from "./Chat";
import { SignIn } from "./SignIn";

export default function Page() {
  const [isSignedIn, setSignedIn] = useState<boolean>();
  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange((_, session) => setSignedIn(session !== null));
    return () => data.subscription.unsubscribe();
  }, []);
  if (isSignedIn === undefined) return null;
  if (!isSignedIn) return <SignIn />;
  // With Supabase Realtime leave `live` out; the stack of `keepsake up` has none.
  return (
    <KeepsakeProvider client={supabase} live="polling">
      <MemoryUiProvider locale="en">
        <main style={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: "2rem", padding: "1rem" }}>
          <Chat />
          <MemoryPanel />
        </main>
      </MemoryUiProvider>
    </KeepsakeProvider>
  );
}
