/** The hooks, in a browser's document, as a signed-in person of a running stack. @vitest-environment jsdom */
import { createClient } from "@supabase/supabase-js";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import {
  KeepsakeProvider,
  useConnectionError,
  useConversationMemory,
  useMemorySettings,
  useOperations,
  useTodos,
  useUserMemory,
  type KeepsakeClient,
  type MemorySettings,
  type MemoryType,
} from "../../src/react";
import { startConversation, tell, type Talk } from "../support/conversation";
import { insert, stack } from "../support/stack";

afterEach(cleanup);

function clientOf({ token }: Talk): KeepsakeClient {
  return createClient(stack.url, stack.publishableKey, { accessToken: async () => token }) as KeepsakeClient;
}

/** A client that a test cuts off from the server, or signs out. */
function breakableClient({ token }: Talk) {
  const state = { isCutOff: false, isSignedOut: false, requests: 0 };
  const send: typeof fetch = (...request) => {
    state.requests += 1;
    return state.isCutOff ? Promise.reject(new TypeError("Failed to fetch")) : fetch(...request);
  };
  const accessToken = async () => (state.isSignedOut ? "expired" : token);
  const client = createClient(stack.url, stack.publishableKey, { accessToken, global: { fetch: send } });
  return { state, client: client as KeepsakeClient };
}

/** Render a hook for a person; polling, because the local stack has no Realtime. */
function render<T>(hook: () => T, client: KeepsakeClient, live: "polling" | "realtime" = "polling", seconds?: number) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <KeepsakeProvider client={client} live={live} pollSeconds={seconds ?? (live === "polling" ? 1 : 3600)}>
      {children}
    </KeepsakeProvider>
  );
  const { result, rerender } = renderHook(hook, { wrapper });
  return {
    get current() {
      return result.current;
    },
    rerender: () => rerender(),
  };
}

it("lists, searches, changes and undoes memories, and sees what others change", async () => {
  const ada = await startConversation("Ada");
  await tell(ada, "My favorite food is ramen.");
  const client = clientOf(ada);
  const result = render(() => ({ all: useUserMemory(), found: useUserMemory({ search: "ramen" }), log: useOperations() }), client);
  await waitFor(() => expect(result.current.found.memories).toHaveLength(1));
  const [ramen] = result.current.found.memories;
  if (!ramen) throw new Error("There is no memory.");
  const { operation_id } = await act(() => result.current.all.update(ramen, { pinned: true }));
  await waitFor(() => expect(result.current.found.memories[0]?.pinned).toBe(true));
  await act(() => result.current.log.undo(String(operation_id)));
  await waitFor(() => expect(result.current.found.memories[0]?.pinned).toBe(false));
  await tell(ada, "I live in Lisbon.");
  await waitFor(() => expect(result.current.all.memories.map((each) => each.memory_text)).toContain("Lives in Lisbon"));
});

it("shows a change at once, and takes it back where the database refuses it", async () => {
  const ada = await startConversation("Ada");
  await tell(ada, "My favorite food is ramen.");
  const shown: (string | undefined)[] = [];
  const result = render(() => {
    const memory = useUserMemory({ search: "ramen" });
    shown.push(memory.memories[0]?.memory_text);
    return memory;
  }, clientOf(ada));
  await waitFor(() => expect(result.current.memories).toHaveLength(1));
  const [ramen] = result.current.memories;
  if (!ramen) throw new Error("There is no memory.");
  const refused = result.current.update(ramen, { memory_text: " " }).catch((error: unknown) => error);
  await waitFor(() => expect(shown).toContain(" "));
  expect(await refused).toMatchObject({ name: "RequestError" });
  await waitFor(() => expect(result.current.memories[0]?.memory_text).toBe(ramen.memory_text));
});

it("never shows a change as it was before while another one is on its way", async () => {
  const ada = await startConversation("Ada");
  const shown: (boolean | undefined)[] = [];
  const result = render(() => {
    const memory = useMemorySettings();
    shown.push(memory.settings?.enabled);
    return memory;
  }, clientOf(ada));
  await waitFor(() => expect(result.current.settings?.enabled).toBe(true));
  const changes = [result.current.update({ long_term: true }), result.current.update({ enabled: false })];
  await waitFor(() => expect(result.current.settings?.enabled).toBe(false));
  shown.length = 0;
  await act(() => Promise.all(changes));
  await waitFor(() => expect(result.current.settings).toMatchObject({ enabled: false, long_term: true }));
  expect(shown).not.toContain(true);
});

it("sorts to-dos, closes one, and forgets one", async () => {
  const ada = await startConversation("Ada");
  const profile = { user_id: ada.userId, profile_id: ada.profileId, kind: "commitment" };
  await insert("user_memory_todos", { ...profile, todo_text: "Call the dentist", due_date: "2031-01-01" });
  await insert("user_memory_todos", { ...profile, todo_text: "Buy bread", due_date: "2030-01-01" });
  const result = render(() => useTodos(), clientOf(ada));
  const texts = () => result.current.todos.map((todo) => todo.todo_text);
  await waitFor(() => expect(texts()).toEqual(["Buy bread", "Call the dentist"]));
  const [bread, dentist] = result.current.todos;
  if (!bread || !dentist) throw new Error("A to-do is missing.");
  const done = await act(() => result.current.update(bread, { status: "done" }));
  expect(done).toMatchObject({ affected: 1, operation_id: expect.any(String) as string });
  await waitFor(() => expect(texts()).toEqual(["Call the dentist", "Buy bread"]));
  await act(() => result.current.forget(dentist));
  await waitFor(() => expect(texts()).toEqual(["Buy bread"]));
});

it("reads again when Realtime reports a change, and does not poll meanwhile", async () => {
  const ada = await startConversation("Ada");
  const client = clientOf(ada);
  const channel = new ScriptedChannel();
  const result = render(() => useUserMemory(), withChannel(client, channel), "realtime");
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  await tell(ada, "I live in Lisbon.");
  expect(result.current.memories.map((each) => each.memory_text)).not.toContain("Lives in Lisbon");
  act(() => channel.report());
  await waitFor(() => expect(result.current.memories.map((each) => each.memory_text)).toContain("Lives in Lisbon"));
  expect(channel.opened).toEqual([[`keepsake:${ada.userId}`, { config: { private: true } }]]);
});

it("reads once after a burst of changes, however many there are", async () => {
  const ada = await startConversation("Ada");
  const { client, state } = breakableClient(ada);
  const channel = new ScriptedChannel();
  const result = render(() => useUserMemory(), withChannel(client, channel), "realtime");
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  const readAtOnce = state.requests;
  act(() => channel.report());
  await waitFor(() => expect(state.requests).toBeGreaterThan(readAtOnce));
  const before = state.requests;
  for (let burst = 0; burst < 50; burst += 1) {
    act(() => {
      for (let event = 0; event < 200; event += 1) channel.report();
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(state.requests - before).toBe(before - readAtOnce);
});

it("stops asking for a channel that is refused, and polls", async () => {
  const ada = await startConversation("Ada");
  const channel = new ScriptedChannel("CHANNEL_ERROR");
  const result = render(() => useUserMemory(), withChannel(clientOf(ada), channel), "realtime", 1);
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  act(() => channel.become("CHANNEL_ERROR"));
  act(() => channel.become("TIMED_OUT"));
  expect(channel.removed).toBe(1);
  await tell(ada, "I live in Lisbon.");
  await waitFor(() => expect(result.current.memories.map((each) => each.memory_text)).toContain("Lives in Lisbon"));
});

it("reads again what it missed once the channel of Realtime is joined anew", async () => {
  const ada = await startConversation("Ada");
  const channel = new ScriptedChannel();
  const result = render(() => useUserMemory(), withChannel(clientOf(ada), channel), "realtime");
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  act(() => channel.become("CHANNEL_ERROR"));
  await tell(ada, "I live in Lisbon.");
  act(() => channel.become("SUBSCRIBED"));
  await waitFor(() => expect(result.current.memories.map((each) => each.memory_text)).toContain("Lives in Lisbon"));
});

it("polls what Realtime reports once it says that it cannot, and the rest always", async () => {
  const ada = await startConversation("Ada");
  const channel = new ScriptedChannel();
  const client = withChannel(clientOf(ada), channel);
  const result = render(() => ({ memory: useUserMemory(), settings: useMemorySettings() }), client, "realtime", 1);
  await waitFor(() => expect(result.current.settings.settings?.building).toBe(true));
  await clientOf(ada).from("user_memory_settings").upsert({ building: false }, { onConflict: "user_id" }).select("user_id");
  await waitFor(() => expect(result.current.settings.settings?.building).toBe(false));
  await insert("user_memory", { ...rowOf(ada), memory_text: "Lives in Lisbon" });
  act(() => channel.become("CHANNEL_ERROR"));
  await waitFor(() => expect(result.current.memory.memories.map((each) => each.memory_text)).toContain("Lives in Lisbon"), {
    timeout: 20_000, // sooner than the poll beside Realtime
  });
});

it("takes settings that were changed elsewhere meanwhile for the base of a change", async () => {
  const ada = await startConversation("Ada");
  const [here, there] = [render(() => useMemorySettings(), clientOf(ada), "polling", 3600), clientOf(ada)];
  await waitFor(() => expect(here.current.settings?.allowed_types).toContain("emotion"));
  const without = (type: MemoryType) => (settings: MemorySettings) => ({
    allowed_types: settings.allowed_types.filter((each) => each !== type),
  });
  const patch = { allowed_types: ["fact", "goal", "pattern", "relationship"] as MemoryType[] };
  await there.from("user_memory_settings").upsert(patch, { onConflict: "user_id" }).select("user_id");
  await act(() => Promise.all([here.current.update(without("fact")), here.current.update(without("goal"))]));
  await waitFor(() => expect(here.current.settings?.allowed_types).toEqual(["pattern", "relationship"]));
});

it("lets two providers share a client", async () => {
  const client = clientOf(await startConversation("Ada"));
  const both = [render(() => useUserMemory(), client, "realtime"), render(() => useUserMemory(), client, "realtime")];
  for (const result of both) await waitFor(() => expect(result.current.isLoading).toBe(false));
});

it("shows the next person nothing of the one before, though the client stays", async () => {
  const [ada, bob] = [await startConversation("Ada"), await startConversation("Bob")];
  await tell(ada, "My favorite food is ramen.");
  await tell(bob, "I live in Lisbon.");
  let present = ada;
  const client = createClient(stack.url, stack.publishableKey, { accessToken: async () => present.token }) as KeepsakeClient;
  const result = render(() => useUserMemory(), withChannel(client, new ScriptedChannel()), "realtime");
  const texts = () => result.current.memories.map((each) => each.memory_text).join();
  await waitFor(() => expect(texts()).toContain("ramen"));
  present = bob;
  result.rerender();
  await waitFor(() => expect(texts()).toContain("Lisbon"));
  expect(texts()).not.toContain("ramen");
});

it("says whether a conversation is remembered by the person's own rows, where they may see those of others", async () => {
  const [ada, bob] = [await startConversation("Ada"), await startConversation("Bob")];
  await insert("conversations_participants", { conversation_id: ada.conversationId, user_id: bob.userId });
  const conversation = { id: ada.conversationId, mode: "chat" };
  const result = render(() => useConversationMemory(conversation), clientOf(ada));
  await waitFor(() => expect(result.current.isRemembering).toBe(true));
  expect(result.current).toMatchObject({ profileId: ada.profileId, primaryProfileId: ada.profileId });
});

it("does not say that nothing is remembered while the profiles cannot be read", async () => {
  const ada = await startConversation("Ada");
  let isBroken = true;
  const send: typeof fetch = (input, init) =>
    isBroken && String(input).includes("memory_profiles") ? Promise.resolve(new Response("", { status: 500 })) : fetch(input, init);
  const accessToken = async () => ada.token;
  const client = createClient(stack.url, stack.publishableKey, { accessToken, global: { fetch: send } }) as KeepsakeClient;
  const said = new Set<boolean | undefined>();
  const result = render(() => {
    const memory = useConversationMemory({ id: ada.conversationId, mode: "chat" });
    said.add(memory.isRemembering);
    return memory;
  }, client);
  await waitFor(() => expect(result.current.profileId).toBe(ada.profileId));
  isBroken = false;
  await waitFor(() => expect(result.current.isRemembering).toBe(true));
  expect(said).not.toContain(false);
});

it.each([
  ["isCutOff", 0],
  ["isSignedOut", 401],
] as const)("keeps what was read while the server is away (%s), says so, and is current again by itself", async (trouble, status) => {
  const ada = await startConversation("Ada");
  await tell(ada, "My favorite food is ramen.");
  const { client, state } = breakableClient(ada);
  const result = render(() => ({ memory: useUserMemory(), settings: useMemorySettings(), error: useConnectionError() }), client);
  await waitFor(() => expect(result.current.memory.memories.length).toBeGreaterThan(0));
  const before = result.current.memory.memories;
  state[trouble] = true;
  await waitFor(() => expect(result.current.error?.status).toBe(status));
  expect(result.current.memory.memories).toEqual(before);
  await tell(ada, "I live in Lisbon.");
  state[trouble] = false;
  await waitFor(() => expect(result.current.error).toBeNull());
  await waitFor(() => expect(result.current.memory.memories.length).toBeGreaterThan(before.length));
});

it("leaves a memory out when its time has come, though nothing was changed", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const ada = await startConversation("Ada");
  const row = { user_id: ada.userId, profile_id: ada.profileId, memory_type: "emotion", source: "user" };
  const hour = 3600_000;
  await insert("user_memory", { ...row, memory_text: "Is tired", expires_at: new Date(Date.now() + hour).toISOString() });
  await insert("user_memory", { ...row, memory_text: "Is proud" });
  const result = render(() => useUserMemory({ types: ["emotion"] }), withChannel(clientOf(ada), new ScriptedChannel()), "realtime");
  const texts = () => result.current.memories.map((each) => each.memory_text).sort();
  await waitFor(() => expect(texts()).toEqual(["Is proud", "Is tired"]));
  await act(() => vi.advanceTimersByTimeAsync(hour));
  await waitFor(() => expect(texts()).toEqual(["Is proud"]));
});

function rowOf({ userId, profileId }: Talk) {
  return { user_id: userId, profile_id: profileId, memory_type: "fact", source: "user" };
}

/** Stands for the channel of Supabase Realtime, which the local stack does not have. */
class ScriptedChannel {
  readonly opened: unknown[] = [];
  removed = 0;
  become: (status: string) => void = () => undefined;
  report: () => void = () => undefined;

  constructor(private readonly status = "SUBSCRIBED") {}

  on(_event: "broadcast", _filter: { event: "*" }, listener: () => void): this {
    this.report = listener;
    return this;
  }

  subscribe(onStatus: (status: string) => void): this {
    this.become = onStatus;
    onStatus(this.status);
    return this;
  }
}

function withChannel(client: KeepsakeClient, channel: ScriptedChannel): KeepsakeClient {
  return Object.assign(client, {
    channel: (...named: unknown[]) => (channel.opened.push(named), channel),
    removeChannel: () => Promise.resolve(((channel.removed += 1), "ok")),
  }) as unknown as KeepsakeClient;
}
