/** "This was saved", with undo, when a message has become a memory. */
import { useEffect, useRef, type ReactNode } from "react";
import { useSavedMemories } from "../react";
import { messageOf, useMemoryUi } from "./ui";

/** Watches one message after it was sent; the toast appears where `MemoryUiProvider` shows its messages. */
export function MemorySavedToast({ messageId }: { messageId: string | null }): ReactNode {
  const { strings, notify } = useMemoryUi();
  const { memories, undo } = useSavedMemories(messageId);
  const shownFor = useRef<string | null>(null);
  useEffect(() => {
    if (!memories.length || shownFor.current === messageId) return;
    shownFor.current = messageId;
    const run = () =>
      void undo().then(
        () => notify({ title: strings.saved.taken }),
        (error: unknown) => notify({ title: strings.failed, text: messageOf(error), isError: true }),
      );
    notify({
      title: memories.length === 1 ? strings.saved.title : strings.saved.many(memories.length),
      text: memories.map((memory) => memory.memory_text).join(" · "),
      action: { label: strings.undo, altText: strings.saved.undo, run },
    });
  }, [memories, messageId, notify, strings, undo]);
  return null;
}
