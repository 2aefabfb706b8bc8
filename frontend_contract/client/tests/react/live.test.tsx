/** The real client of Supabase Realtime before a stand-in of its server. @vitest-environment jsdom */
import { createClient } from "@supabase/supabase-js";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { MessageChannel } from "node:worker_threads";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { KeepsakeProvider, useUserMemory, type KeepsakeClient } from "../../src/react";
import { startConversation, tell, type Talk } from "../support/conversation";
import { serveRealtime, type RealtimeStub } from "../support/realtime";
import { stack } from "../support/stack";

afterEach(cleanup);

/** The WebSocket of jsdom is that of Node.js, which takes no events but those of Node.js. */
beforeAll(async () => {
  const { port1, port2 } = new MessageChannel();
  const event = await new Promise<object>((resolve) => {
    (port2 as unknown as { onmessage: typeof resolve }).onmessage = resolve;
    port1.postMessage("");
  });
  port1.close();
  vi.stubGlobal("Event", Object.getPrototypeOf(event.constructor));
});

/** A person's client: REST is that of the stack, Realtime the stand-in. */
function show({ token }: Talk, { url }: RealtimeStub) {
  const send: typeof fetch = (input, init) => fetch(String(input).replace(url, stack.url), init);
  const client = createClient(url, stack.publishableKey, { accessToken: async () => token, global: { fetch: send } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <KeepsakeProvider client={client as unknown as KeepsakeClient} pollSeconds={3600}>
      {children}
    </KeepsakeProvider>
  );
  const { result } = renderHook(() => useUserMemory(), { wrapper });
  return () => result.current.memories.map((memory) => memory.memory_text).join();
}

it("joins the person's private topic with their token, and reads when it is told to", async () => {
  const ada = await startConversation("Ada");
  const topic = `keepsake:${ada.userId}`;
  const realtime = await serveRealtime((name, token) => name === `realtime:${topic}` && token === ada.token);
  const texts = show(ada, realtime);
  await waitFor(() => expect(texts()).toContain("Name is Ada"));
  await waitFor(() => expect(realtime.joins).toEqual([{ topic: `realtime:${topic}`, isPrivate: true, token: ada.token }]));
  await tell(ada, "I live in Lisbon.");
  expect(texts()).not.toContain("Lisbon");
  realtime.broadcast(topic);
  await waitFor(() => expect(texts()).toContain("Lisbon"));
});

it("gives up a topic that the policies refuse", async () => {
  const ada = await startConversation("Ada");
  const realtime = await serveRealtime(() => false);
  const texts = show(ada, realtime);
  await waitFor(() => expect(texts()).toContain("Name is Ada"));
  await waitFor(() => expect(realtime.joins.length).toBeGreaterThan(0));
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  expect(realtime.joins.length).toBeLessThanOrEqual(4);
});
