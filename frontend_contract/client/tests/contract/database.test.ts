/** What the database answers has the shape that its types promise, through supabase-js. */
import { createClient } from "@supabase/supabase-js";
import { expect, it } from "vitest";
import type { Database } from "../../src";
import { startConversation, tell } from "../support/conversation";
import { stack } from "../support/stack";

/** A person with one memory, in a browser where they are signed in. */
async function browser() {
  const ada = await startConversation("Ada");
  await tell(ada, "My favorite food is ramen.");
  const headers = { Authorization: `Bearer ${ada.token}` };
  const supabase = createClient<Database>(stack.url, stack.publishableKey, { global: { headers } });
  const { data } = await supabase.from("user_memory").select("id, conversations(title)").like("memory_text", "%ramen%");
  const memory = data?.[0];
  if (!memory) throw new Error("nothing was remembered");
  return { ada, supabase, memory };
}

it("embeds the conversation of a memory", async () => {
  const { ada, supabase, memory } = await browser();
  expect(memory.conversations).toEqual({ title: null });
  const { data } = await supabase.from("user_memory").select("*, conversations(id)").eq("id", memory.id).single();
  expect(data?.conversations?.id).toBe(ada.conversationId);
});

it("answers a change with its operation, which can be undone", async () => {
  const { supabase, memory } = await browser();
  const { data: forgotten } = await supabase.rpc("forget_memory", { memory_id: memory.id });
  expect(forgotten).toEqual({ operation_id: expect.any(String) as string, affected: 1 });
  const operation_id = forgotten?.operation_id ?? "";
  const { data: undone } = await supabase.rpc("undo_operation", { operation_id });
  expect(undone).toEqual({ operation_id: expect.any(String) as string, affected: 1, undone: operation_id });

  const { data: operations } = await supabase.rpc("memory_operations", { memory_id: memory.id });
  const forgetting = operations?.find((operation) => operation.operation_id === operation_id);
  expect(forgetting?.undone_at).toEqual(expect.any(String));
  expect(forgetting?.memories[0]).toEqual({
    memory_id: memory.id,
    ref: expect.stringMatching(/^M-\d+$/) as string,
    action: expect.any(String) as string,
    text_before: expect.stringContaining("ramen") as string,
    text_after: expect.stringContaining("ramen") as string,
    status_before: "active",
    status_after: "deleted",
    why: null,
    message_id: null,
    is_doubted: false,
  });
});

it("gives an overview of memories and settings", async () => {
  const { supabase } = await browser();
  const { data: overview } = await supabase.rpc("memory_overview");
  expect(Object.keys(overview ?? {}).sort()).toEqual(
    ["active", "by_profile", "by_status", "by_type", "newest_at", "pinned", "settings", "total"].sort(),
  );
  expect(Object.keys(overview?.settings ?? {}).sort()).toEqual(
    [
      "allowed_types",
      "building",
      "enabled",
      "erased_before",
      "long_term",
      "onboarding_seen_at",
      "retention_days",
    ].sort(),
  );
  expect(Object.keys(overview?.by_type ?? {}).sort()).toEqual(["emotion", "fact", "goal", "pattern", "relationship"]);
  expect(overview?.active).toBeGreaterThan(0);
});
