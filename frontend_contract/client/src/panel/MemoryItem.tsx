/** One memory of the list: its text, where it comes from, and what the person can do with it. */
import { memo, useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { refOf, statusOf, type Memory } from "../react";
import { formatDay } from "./dates";
import { Highlight } from "./Highlight";
import { Icon } from "./icons";
import { MemoryActions } from "./MemoryActions";
import { MemoryDetails } from "./MemoryDetails";
import { useMemoryUi } from "./ui";

export interface MemoryItemProps {
  memory: Memory;
  search: string;
  /** The title of its conversation; null where it has none, undefined where it is unknown. */
  conversation: string | null | undefined;
  isOpen: boolean;
  onToggle: (id: string) => void;
  onEdit: (memory: Memory, text: string) => void;
}

export const MemoryItem = memo(function MemoryItem(props: MemoryItemProps): ReactNode {
  const { memory, search, conversation, isOpen, onToggle, onEdit } = props;
  const { strings } = useMemoryUi();
  const [isEditing, setIsEditing] = useState(false);
  const summary = useRef<HTMLButtonElement>(null);
  const closeEditor = (text: string | null) => {
    flushSync(() => setIsEditing(false));
    summary.current?.focus();
    if (text !== null && text !== memory.memory_text) onEdit(memory, text);
  };
  const id = useId();
  const status = statusOf(memory);
  const isCurrent = status === "active";
  return (
    <li className="ks-memory" data-type={memory.memory_type} data-open={isOpen || undefined} data-memory={memory.id}>
      {isEditing ? (
        <MemoryEditor memory={memory} onClose={closeEditor} />
      ) : (
        <button
          ref={summary}
          type="button"
          className="ks-memory-summary"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => onToggle(memory.id)}
        >
          <span className="ks-memory-text" data-muted={!isCurrent || undefined}>
            <Highlight text={memory.memory_text} search={search} />
          </span>
          <span className="ks-memory-meta">
            <span className="ks-ref">{refOf(memory)}</span>
            <span className="ks-type">{strings.typeOne[memory.memory_type]}</span>
            {!isCurrent && <span>{strings.statuses[status] ?? status}</span>}
            <span>{formatDay(memory.valid_from, strings.locale)}</span>
            {conversation !== undefined && (
              <span className="ks-memory-chat">
                <Icon name="chat" size={12} />
                <span className="ks-ellipsis">{conversation ?? strings.memory.untitled}</span>
              </span>
            )}
          </span>
          <span className="ks-memory-marks">
            {memory.pinned && (
              <span className="ks-mark" data-kind="pin">
                <Icon name="pin" size={14} />
                <span className="ks-hidden">{strings.memory.pinned}</span>
              </span>
            )}
            {memory.doubted_at && isCurrent && (
              <span className="ks-mark" data-kind="doubt">
                <Icon name="question" size={14} />
                <span className="ks-hidden">{strings.memory.doubted}</span>
              </span>
            )}
            <Icon name="chevron" size={16} />
          </span>
        </button>
      )}
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <div className="ks-memory-body">
            <MemoryDetails memory={memory} conversation={conversation} />
            <MemoryActions memory={memory} onEdit={() => setIsEditing(true)} />
          </div>
        )}
      </div>
    </li>
  );
});

function MemoryEditor({ memory, onClose }: { memory: Memory; onClose: (text: string | null) => void }): ReactNode {
  const { strings } = useMemoryUi();
  const [text, setText] = useState(memory.memory_text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) onClose(text.trim());
  };
  return (
    <form className="ks-editor" onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && onClose(null)}>
      <textarea
        ref={field}
        className="ks-field"
        aria-label={strings.memory.editLabel(refOf(memory))}
        value={text}
        maxLength={500}
        rows={2}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && !event.shiftKey && submit(event)}
      />
      <div className="ks-row">
        <button type="submit" className="ks-button" data-primary disabled={!text.trim()}>
          {strings.save}
        </button>
        <button type="button" className="ks-button" data-quiet onClick={() => onClose(null)}>
          {strings.cancel}
        </button>
      </div>
    </form>
  );
}
