/** One memory of the list: its text, where it comes from, and what the person can do with it. */
import { memo, useId, useRef, type ReactNode, type RefObject } from "react";
import { refOf, statusOf, type Memory, type OperationResult } from "../react";
import { formatDay } from "./dates";
import { useDraft, type DraftActions } from "./drafts";
import { Editor } from "./Editor";
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
  onEdit: (memory: Memory, text: string) => Promise<OperationResult>;
}

export const MemoryItem = memo(function MemoryItem(props: MemoryItemProps): ReactNode {
  const { memory, search, conversation, isOpen, onToggle, onEdit } = props;
  const { strings } = useMemoryUi();
  const state = useDraft<string>(memory.id);
  const summary = useRef<HTMLButtonElement>(null);
  const id = useId();
  const status = statusOf(memory);
  const isCurrent = status === "active";
  return (
    <li className="ks-memory" data-type={memory.memory_type} data-open={isOpen || undefined} data-memory={memory.id}>
      {state.draft ? (
        <MemoryEditor memory={memory} state={state} opener={summary} onEdit={onEdit} />
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
            {!state.draft && <MemoryActions memory={memory} onEdit={() => state.edit(memory.memory_text)} />}
          </div>
        )}
      </div>
    </li>
  );
});

function MemoryEditor(props: {
  memory: Memory;
  state: DraftActions<string>;
  opener: RefObject<HTMLElement | null>;
  onEdit: MemoryItemProps["onEdit"];
}): ReactNode {
  const { memory, state, opener, onEdit } = props;
  const { strings } = useMemoryUi();
  const ref = refOf(memory);
  const typed = state.draft?.values ?? "";
  const text = typed.trim();
  return (
    <Editor
      state={state}
      canSave={text !== ""}
      send={text === memory.memory_text ? null : () => onEdit(memory, text)}
      done={strings.done.edited(ref)}
      opener={opener}
    >
      <textarea
        className="ks-field"
        aria-label={strings.memory.editLabel(ref)}
        value={typed}
        maxLength={500}
        rows={2}
        onChange={(event) => state.edit(event.target.value)}
      />
    </Editor>
  );
}
