/** A signed-in person: the chat, and the memory panel beside it. */
import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { MemoryOnboarding, MemoryPanel, MemoryUiProvider } from "../../src/panel";
import { KeepsakeProvider, useConversations } from "../../src/react";
import { Chat } from "./Chat";
import { ChatHeader } from "./ChatHeader";
import type { SessionProps } from "./sessionProps";

export function Session(props: SessionProps): ReactNode {
  const { person, preferences } = props;
  const [isPanelOpen, setIsPanelOpen] = useState(false);
  const openPanel = useCallback(() => setIsPanelOpen(true), []);
  const page = useFocusInView(isPanelOpen);
  return (
    <KeepsakeProvider client={person.client} getAccessToken={person.getAccessToken} live="polling" pollSeconds={2}>
      <MemoryUiProvider locale={preferences.locale} theme={preferences.theme} onOpenPanel={openPanel}>
        <main ref={page} className="ks-root kp-page" data-theme={preferences.theme} data-panel={isPanelOpen || undefined}>
          <h1 className="ks-hidden">Keepsake</h1>
          <ChatColumn {...props} onOpenPanel={openPanel} />
          <div className="kp-panel">
            <MemoryPanel theme={preferences.theme} onClose={() => setIsPanelOpen(false)} />
          </div>
        </main>
      </MemoryUiProvider>
    </KeepsakeProvider>
  );
}

/** Where the panel takes the place of the chat, the focus goes to what is shown, and back; at first to the message. */
function useFocusInView(isPanelOpen: boolean): RefObject<HTMLElement | null> {
  const page = useRef<HTMLElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    const target = isPanelOpen ? ".kp-panel button" : wasOpen.current ? ".kp-open-panel" : ".kp-chat textarea";
    wasOpen.current = isPanelOpen;
    const focused = document.activeElement;
    if (focused === document.body || !focused?.checkVisibility()) page.current?.querySelector<HTMLElement>(target)?.focus();
  }, [isPanelOpen]);
  return page;
}

function ChatColumn(props: SessionProps & { onOpenPanel: () => void }): ReactNode {
  const { person, strings, setup, preferences } = props;
  const conversations = useConversations();
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = conversations.find(({ id }) => id === chosenId) ?? conversations[0] ?? null;
  return (
    <div className="kp-chat">
      <ChatHeader {...props} conversations={conversations} chosen={chosen} onChoose={setChosenId} />
      <Chat
        key={chosenId ?? "newest"}
        conversation={chosen}
        person={person}
        strings={strings}
        setup={setup}
        theme={preferences.theme}
      />
      <MemoryOnboarding theme={preferences.theme} isNeeded={chosen?.mode !== "swiss"} />
    </div>
  );
}
