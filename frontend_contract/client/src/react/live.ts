/** Hears of the person's own changes over a private channel of Supabase Realtime, and reads once after a burst of them. */
import type { RealtimeChannel } from "@supabase/supabase-js";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { readAgain } from "./pending";
import type { Person, ReadToken } from "./person";
import type { KeepsakeClient } from "./rows";

/** After how much silence the changes of a burst are read, and how long a burst may put that off. */
const QUIET_MILLISECONDS = 400;
const LONGEST_BURST_MILLISECONDS = 5_000;

/** A server without Realtime, or without Keepsake's policies, refuses each attempt: then polling is all there is. */
const MOST_REFUSALS = 3;

const TOKEN_MILLISECONDS = 60_000;

interface Listener {
  onChange: () => void;
  onJoined: (isJoined: boolean) => void;
}

interface SharedChannel {
  channel: RealtimeChannel;
  listeners: Set<Listener>;
  isJoined: boolean;
}

/** The channels of each client by topic: several providers of one client share theirs. */
const shared = new WeakMap<KeepsakeClient, Map<string, SharedChannel>>();

/** The topic on which the database reports what changed of a person's; only they may join it. */
export function topicOf(userId: string): string {
  return `keepsake:${userId}`;
}

/** Read everything that is shown again after changes; says whether the channel is joined and reports them. */
export function useLiveUpdates(
  client: KeepsakeClient,
  cache: QueryClient,
  { person, scope, readOwnToken }: { person: Person; scope: string; readOwnToken: ReadToken | null },
): boolean {
  const [isJoined, setIsJoined] = useState(false);
  useEffect(() => {
    if (!person) return;
    const burst = createBurst(() => readAgain(cache, [scope]));
    let wasLost = false;
    const onJoined = (isNowJoined: boolean) => {
      if (isNowJoined && wasLost) burst.note(); // what changed meanwhile was not reported
      wasLost = !isNowJoined;
      setIsJoined(isNowJoined);
    };
    const authorize = async () => client.realtime.setAuth(readOwnToken ? await readOwnToken() : null);
    let leave = () => {};
    let isOver = false;
    void authorize()
      .catch(() => {}) // the channel is refused then
      .then(() => {
        if (!isOver) leave = join(client, topicOf(person), { onChange: burst.note, onJoined });
      });
    const timer = setInterval(() => void authorize().catch(() => {}), TOKEN_MILLISECONDS);
    return () => {
      isOver = true;
      clearInterval(timer);
      burst.stop();
      leave();
      setIsJoined(false);
    };
  }, [client, cache, person, scope, readOwnToken]);
  return isJoined;
}

/** Listen on a topic; what leaves it again is returned. */
function join(client: KeepsakeClient, topic: string, listener: Listener): () => void {
  const channels = shared.get(client) ?? new Map<string, SharedChannel>();
  shared.set(client, channels);
  const known = channels.get(topic) ?? open(client, topic, channels);
  known.listeners.add(listener);
  if (known.isJoined) listener.onJoined(true);
  return () => {
    known.listeners.delete(listener);
    if (known.listeners.size > 0) return;
    if (channels.get(topic) === known) channels.delete(topic);
    void client.removeChannel(known.channel);
  };
}

function open(client: KeepsakeClient, topic: string, channels: Map<string, SharedChannel>): SharedChannel {
  const channel = client.channel(topic, { config: { private: true } });
  const opened: SharedChannel = { channel, listeners: new Set(), isJoined: false };
  channels.set(topic, opened);
  let refusals = 0;
  channel
    .on("broadcast", { event: "*" }, () => {
      for (const { onChange } of opened.listeners) onChange();
    })
    .subscribe((status) => {
      opened.isJoined = status === "SUBSCRIBED";
      refusals = opened.isJoined ? 0 : refusals + 1;
      for (const { onJoined } of opened.listeners) onJoined(opened.isJoined);
      if (refusals === MOST_REFUSALS) void client.removeChannel(channel);
    });
  return opened;
}

/** Acts once after many notes: when none has come for a while, or when they do not end. */
function createBurst(act: () => void): { note: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let began = 0;
  const end = () => {
    timer = undefined;
    act();
  };
  const note = () => {
    const now = performance.now();
    if (timer === undefined) began = now;
    clearTimeout(timer);
    timer = setTimeout(end, Math.min(QUIET_MILLISECONDS, Math.max(0, began + LONGEST_BURST_MILLISECONDS - now)));
  };
  return { note, stop: () => clearTimeout(timer) };
}
