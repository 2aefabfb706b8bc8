// What a web frontend does with a person's memories, through an unmodified @supabase/supabase-js.
// Given { url, key, token, userId, food, cello }; says on standard output what came back, for the test to judge.

import { createClient } from "@supabase/supabase-js";

const { url, key, token, userId, food, cello } = JSON.parse(process.argv[2]);
const browser = createClient(url, key, { accessToken: async () => token });
const said = {};

async function step(name, query) {
  const { data, error, count, status } = await query;
  said[name] = { data, error: error && error.code, count, status };
  return data;
}

const memories = () => browser.from("user_memory");

await step("list", memories().select("*").order("memory_no"));
await step("count", memories().select("*", { count: "exact", head: true }));
await step("page", memories().select("memory_no", { count: "exact" }).order("memory_no", { ascending: false }).range(0, 0));
await step("filter", memories().select("memory_text").eq("memory_type", "goal").is("expires_at", null));
await step("or", memories().select("memory_no").or("memory_text.ilike.*cello*,memory_no.eq.1").order("memory_no"));
await step("fts", memories().select("memory_text").textSearch("memory_text", "foods", { config: "english" }));
await step("search", browser.rpc("search_user_memory", { query: "cello" }));
await step("embed", memories().select("memory_text, user_profile_list(name)").eq("id", cello).single());
await step("edit", memories().update({ memory_text: "Favorite food is shoyu ramen" }).eq("id", food).select().single());
await step("pin", memories().update({ pinned: true }).eq("id", cello).select("pinned, importance, source").single());
await step("confirm", browser.rpc("confirm_memory", { memory_id: cello }));
const forgotten = await step("forget", browser.rpc("forget_memory", { memory_id: cello }));
await step("after forget", memories().select("status, is_active").eq("id", cello).single());
await step("undo", browser.rpc("undo_operation", { operation_id: forgotten.operation_id }));
await step("after undo", memories().select("status, confidence_score").eq("id", cello).single());
await step("forget again", browser.rpc("forget_memory", { memory_id: cello }));
await step("restore", browser.rpc("restore_memory", { memory_id: cello }));
await step("overview", browser.rpc("memory_overview"));
await step("settings", browser.from("user_memory_settings").upsert({ user_id: userId, building: false }).select().single());
await step("settings again", browser.from("user_memory_settings").upsert({ user_id: userId, enabled: false }).select().single());
await step("forge", memories().update({ confidence_score: 1 }).eq("id", food).select());
await step("insert", memories().insert({ memory_text: "Is an administrator", user_id: userId }).select());
await step("delete", memories().delete().eq("id", food).select());

console.log(JSON.stringify(said));
