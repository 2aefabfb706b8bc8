/** What a person can do with one memory. */
import { useState, type ReactNode } from "react";
import { refOf, statusOf, useMemoryChanges, type Memory, type OperationResult } from "../react";
import { EraseDialog } from "./EraseDialog";
import { leaveRow } from "./focus";
import { Icon, type IconName } from "./icons";
import { useMemoryUi } from "./ui";

export function MemoryActions({ memory, onEdit }: { memory: Memory; onEdit: () => void }): ReactNode {
  const { strings, perform: performNamed } = useMemoryUi();
  const changes = useMemoryChanges();
  const [isErasing, setIsErasing] = useState(false);
  const ref = refOf(memory);
  const perform = (change: Promise<OperationResult>, message: string) =>
    performNamed(change, message, memory.memory_text);
  /** Do what takes the memory out of its place in the list; the focus goes to another one. */
  const remove = (button: HTMLElement, change: Promise<OperationResult>, message: string) => {
    leaveRow(button);
    void perform(change, message);
  };
  const { memory: texts, done } = strings;
  const status = statusOf(memory);
  const isCurrent = status === "active";
  const canRestore = status === "deleted" || status === "archived" || status === "expired";
  const needsAnswer = memory.doubted_at !== null || memory.confidence_score < 1;
  return (
    <div className="ks-actions">
      {isCurrent && (
        <>
          <Action icon="edit" label={texts.edit} onClick={onEdit} />
          <Action
            icon="pin"
            label={memory.pinned ? texts.unpin : texts.pin}
            onClick={(button) =>
              remove(
                button,
                changes.update(memory, { pinned: !memory.pinned }),
                memory.pinned ? done.unpinned(ref) : done.pinned(ref),
              )
            }
          />
          {needsAnswer && (
            <Action
              icon="check"
              label={texts.confirm}
              onClick={() => void perform(changes.confirm(memory), done.confirmed(ref))}
            />
          )}
          <Action
            icon="history"
            label={texts.end}
            onClick={(button) => remove(button, changes.end(memory), done.ended(ref))}
          />
        </>
      )}
      {canRestore && (
        <Action
          icon="back"
          label={texts.restore}
          onClick={(button) => remove(button, changes.restore(memory), done.restored(ref))}
        />
      )}
      {status !== "deleted" && (
        <Action
          icon="trash"
          label={texts.forget}
          onClick={(button) => remove(button, changes.forget(memory), done.forgotten(ref))}
        />
      )}
      <button type="button" className="ks-link" data-danger onClick={() => setIsErasing(true)}>
        {texts.erase}
      </button>
      {isErasing && (
        <EraseDialog
          target={{ memory_ids: [memory.id] }}
          text={strings.erase.one(ref, memory.memory_text)}
          onClose={() => setIsErasing(false)}
        />
      )}
    </div>
  );
}

function Action(props: { icon: IconName; label: string; onClick: (button: HTMLElement) => void }): ReactNode {
  const { icon, label, onClick } = props;
  return (
    <button type="button" className="ks-button" data-small onClick={(event) => onClick(event.currentTarget)}>
      <Icon name={icon} size={15} />
      {label}
    </button>
  );
}
