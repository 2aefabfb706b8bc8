/** The conversation: its messages with the memories each answer used, and the field for the next message. */
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode, type UIEvent } from "react";
import { MemorySavedToast, UsedMemoryChips } from "../../src/panel";
import type { Conversation, Message } from "../../src/react";
import type { Person } from "./account";
import type { Setup } from "./backend";
import { PageError } from "./PageError";
import type { Theme } from "./preferences";
import { Avatar, Logo } from "./SignIn";
import type { PageStrings } from "./strings";
import { useChat } from "./useChat";

/** In pixels. */
const NEAR_END = 60;

export interface ChatProps {
  conversation: Conversation | null;
  person: Person;
  setup: Setup;
  strings: PageStrings;
  theme: Theme;
}

export function Chat(props: ChatProps): ReactNode {
  const { conversation, person, setup, strings, theme } = props;
  const { messages, draft, error, sentId, send } = useChat(conversation, person);
  const { column, end, onScroll } = useStayAtEnd();
  const isAnswered = draft && messages.some(({ id }) => id === draft.question.id) && messages.at(-1)?.role === "assistant";
  const earlier = messages.filter(({ id }) => id !== draft?.question.id || isAnswered);
  const isEmpty = messages.length === 0 && !draft;
  useEffect(() => {
    void end.current?.scrollIntoView({ block: "end" });
  }, [messages.length, draft]);
  const authorOf = ({ role, user_id }: Message) => (role === "assistant" ? null : findName(setup, person, user_id));
  return (
    <>
      <div className="kp-messages" role="log" aria-busy={draft !== null} tabIndex={0} aria-label={strings.chats} onScroll={onScroll}>
        <div ref={column} className="kp-column">
          {isEmpty && <Greeting strings={strings} name={person.name} onPick={(text) => void send(text)} />}
          {earlier.map((message) => (
            <Bubble key={message.id} author={authorOf(message)} isOwn={message.user_id === person.user_id} strings={strings} text={message.content}>
              {message.role === "assistant" && (
                <UsedMemoryChips memoryIds={memoryIdsOf(message)} summaryIds={metaOf(message).summary_ids ?? NO_IDS} theme={theme} />
              )}
            </Bubble>
          ))}
          {draft && !isAnswered && (
            <>
              <Bubble author={person.name} isOwn strings={strings} text={draft.question.content} />
              <Bubble author={null} isOwn={false} strings={strings} text={draft.text || strings.thinking} isWaiting={!draft.text}>
                <UsedMemoryChips memoryIds={draft.memoryIds} summaryIds={draft.summaryIds} theme={theme} />
              </Bubble>
            </>
          )}
          {error && <PageError error={error.cause} strings={strings} lead={error.isSaved ? strings.failed : strings.notSent} />}
          <div ref={end} />
        </div>
      </div>
      <Composer strings={strings} isBusy={draft !== null} onSend={send} />
      <p className="kp-model ks-faint">
        {strings.model(setup.model)}
        {!setup.is_model_checked && `. ${strings.notChecked}`}
      </p>
      <MemorySavedToast messageId={sentId} />
    </>
  );
}

/** Keeps the newest message in sight while what is shown grows, unless the person has scrolled up. */
function useStayAtEnd() {
  const column = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) void end.current?.scrollIntoView({ block: "end" });
    });
    observer.observe(column.current as HTMLDivElement);
    return () => observer.disconnect();
  }, []);
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent) => {
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END;
    isAtEnd.current = isNear || (isAtEnd.current && scrollTop >= lastTop.current); // what grew since is no scrolling up
    lastTop.current = scrollTop;
  };
  return { column, end, onScroll };
}

/** The name of who wrote a message; the only one without an account has got it after the page was opened. */
function findName({ people }: Setup, person: Person, userId: string | null): string {
  if (userId === person.user_id) return person.name;
  const others = people.filter(({ email }) => email !== person.email);
  const found = others.find(({ user_id }) => user_id === userId) ?? others.find(({ user_id }) => user_id === null);
  return found?.name ?? "?";
}

const NO_IDS: string[] = [];

/** The ids of the memories that an answer was given; one array a message, so that nothing is read twice. */
const idsOfMessages = new Map<string, string[]>();
function memoryIdsOf(message: Message): string[] {
  const { id } = message;
  const ids = metaOf(message).memory_ids;
  if (!ids?.length) return NO_IDS;
  const known = idsOfMessages.get(id);
  if (known?.length === ids.length) return known;
  idsOfMessages.set(id, ids);
  return ids;
}

/** What `record-injection` has noted on an answer. */
function metaOf({ meta }: Message): { memory_ids?: string[]; summary_ids?: string[] } {
  return meta as { memory_ids?: string[]; summary_ids?: string[] };
}

function Greeting(props: { strings: PageStrings; name: string; onPick: (text: string) => void }): ReactNode {
  const { strings, name, onPick } = props;
  return (
    <div className="kp-greeting">
      <h2>{strings.hello(name)}</h2>
      <p>{strings.helloText}</p>
      <ul>
        {strings.suggestions.map((text) => (
          <li key={text}>
            <button type="button" className="ks-button" onClick={() => onPick(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Bubble(props: {
  author: string | null;
  isOwn: boolean;
  strings: PageStrings;
  text: string;
  isWaiting?: boolean;
  children?: ReactNode;
}): ReactNode {
  const { author, isOwn, strings, text, isWaiting, children } = props;
  return (
    <article className="kp-message" data-own={isOwn || undefined} data-waiting={isWaiting || undefined}>
      <h2 className="ks-hidden">{isOwn ? strings.you : (author ?? strings.assistant)}</h2>
      {!isOwn && (author ? <Avatar name={author} /> : <Logo />)}
      <div className="kp-bubble">
        <p>{text}</p>
        {children}
      </div>
    </article>
  );
}

function Composer(props: { strings: PageStrings; isBusy: boolean; onSend: (text: string) => Promise<boolean> }): ReactNode {
  const { strings, isBusy, onSend } = props;
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || !text.trim()) return;
    setText("");
    void onSend(text.trim()).then((isSaved) => isSaved || setText((newer) => newer || text));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };
  return (
    <form className="kp-composer" onSubmit={submit}>
      <textarea
        aria-label={strings.write}
        placeholder={strings.write}
        rows={1}
        maxLength={8000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className="ks-button" data-primary disabled={isBusy || !text.trim()}>
        {strings.send}
      </button>
    </form>
  );
}
