/** "This was saved", with undo, when a message has become a memory. */
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { statusOf, useMemoriesById, useSavedMemories } from "../react";
import { useMemoryUi } from "./ui";

const MAX_WATCHED = 5;

/** Watches messages after they were sent; the toasts appear where `MemoryUiProvider` shows its messages. */
export function MemorySavedToast({ messageId }: { messageId: string | null }): ReactNode {
  const [watched, setWatched] = useState<readonly string[]>([]);
  useEffect(() => {
    // Those before it stay watched: on a busy machine the next message is sent before they are read.
    if (messageId) setWatched((before) => [...before.filter((id) => id !== messageId), messageId].slice(-MAX_WATCHED));
  }, [messageId]);
  return watched.map((id) => <SavedToast key={id} messageId={id} />);
}

function SavedToast({ messageId }: { messageId: string }): ReactNode {
  const { strings, notify, fail } = useMemoryUi();
  const { memories, undo } = useSavedMemories(messageId);
  const [isShown, setIsShown] = useState(false);
  const dismiss = useRef<() => void>(undefined);
  const now = useMemoriesById(useMemo(() => memories.map(({ id }) => id), [memories]));
  const wasRead = useRef(false);
  wasRead.current ||= now.length > 0;
  const isGone = wasRead.current && now.every((memory) => statusOf(memory) !== "active");
  useEffect(() => {
    if (!memories.length || isShown) return;
    setIsShown(true);
    const run = () => void undo().then(() => notify({ title: strings.saved.taken }), fail);
    dismiss.current = notify({
      title: memories.length === 1 ? strings.saved.title : strings.saved.many(memories.length),
      text: memories.map((memory) => memory.memory_text).join(" · "),
      action: { label: strings.undo, altText: strings.saved.undo, run },
    });
  }, [memories, isShown, notify, fail, strings, undo]);
  useEffect(() => {
    if (isGone) dismiss.current?.(); // deleted meanwhile, by a chat command or in the panel: nothing to undo here
  }, [isGone]);
  return null;
}
