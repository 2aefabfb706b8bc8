/** The head of the chat: which conversation, whether it is remembered, who is signed in, and how the page looks. */
import { useState, type ReactNode } from "react";
import { RememberInThisChat } from "../../src/panel";
import { Icon } from "../../src/panel/icons";
import type { Conversation } from "../../src/react";
import { NewChat } from "./NewChat";
import type { Theme } from "./preferences";
import type { SessionProps } from "./sessionProps";
import { Avatar, Logo } from "./SignIn";

export interface ChatHeaderProps extends SessionProps {
  conversations: Conversation[];
  chosen: Conversation | null;
  onChoose: (id: string) => void;
  onOpenPanel: () => void;
}

export function ChatHeader(props: ChatHeaderProps): ReactNode {
  const { strings, person, preferences, conversations, chosen, onChoose, onOpenPanel, onLeave } = props;
  const [isStarting, setIsStarting] = useState(false);
  return (
    <header className="kp-header">
      <div className="kp-bar">
        <p className="kp-brand" data-small>
          <Logo /> <span>Keepsake</span>
        </p>
        <div className="ks-row">
          <select
            className="ks-field kp-quiet"
            aria-label={strings.theme}
            value={preferences.theme}
            onChange={(event) => preferences.setTheme(event.target.value as Theme)}
          >
            {Object.entries(strings.themes).map(([theme, name]) => (
              <option key={theme} value={theme}>
                {name}
              </option>
            ))}
          </select>
          <select
            className="ks-field kp-quiet"
            aria-label={strings.language}
            value={preferences.locale}
            onChange={(event) => preferences.setLocale(event.target.value)}
          >
            <option value="en">EN</option>
            <option value="de">DE</option>
          </select>
          <button type="button" className="kp-me" title={strings.switchPerson} onClick={onLeave}>
            <Avatar name={person.name} />
            <span className="kp-name">{person.name}</span>
            <span className="ks-hidden">{strings.switchPerson}</span>
          </button>
          <button type="button" className="ks-icon-button kp-open-panel" aria-label={strings.memory} onClick={onOpenPanel}>
            <Icon name="memory" size={22} />
          </button>
        </div>
      </div>
      <div className="kp-bar" data-second>
        <div className="ks-row kp-which">
          <select
            className="ks-field"
            aria-label={strings.chats}
            value={chosen?.id ?? ""}
            onChange={(event) => onChoose(event.target.value)}
          >
            {!chosen && <option value="">{strings.untitled}</option>}
            {conversations.map((conversation) => (
              <option key={conversation.id} value={conversation.id}>
                {describe(conversation, strings.untitled, strings.modes)}
              </option>
            ))}
          </select>
          <button type="button" className="ks-button" onClick={() => setIsStarting(true)}>
            {strings.newChat}
          </button>
        </div>
        <RememberInThisChat conversation={chosen} theme={preferences.theme} />
      </div>
      {isStarting && (
        <NewChat
          {...props}
          onClose={() => setIsStarting(false)}
          onStarted={(id) => {
            setIsStarting(false);
            onChoose(id);
          }}
        />
      )}
    </header>
  );
}

function describe({ title, mode }: Conversation, untitled: string, modes: Record<string, string>): string {
  return `${title ?? untitled}${mode === "chat" ? "" : ` · ${(modes[mode] ?? mode).split(",")[0]}`}`;
}
