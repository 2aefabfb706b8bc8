/** What a person can do with one memory. */
import { useState, type ReactNode } from "react";
import { refOf, useMemoryChanges, type Memory } from "../react";
import { EraseDialog } from "./EraseDialog";
import { Icon, type IconName } from "./icons";
import { useMemoryUi } from "./ui";

export function MemoryActions({ memory, onEdit }: { memory: Memory; onEdit: () => void }): ReactNode {
  const { strings, perform } = useMemoryUi();
  const changes = useMemoryChanges();
  const [isErasing, setIsErasing] = useState(false);
  const ref = refOf(memory);
  const { memory: texts, done } = strings;
  const isCurrent = memory.status === "active";
  const canRestore = memory.status === "deleted" || memory.status === "archived" || memory.status === "expired";
  const needsAnswer = memory.doubted_at !== null || memory.confidence_score < 1;
  return (
    <div className="ks-actions">
      {isCurrent && (
        <>
          <Action icon="edit" label={texts.edit} onClick={onEdit} />
          <Action
            icon="pin"
            label={memory.pinned ? texts.unpin : texts.pin}
            onClick={() =>
              void perform(
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
          <Action icon="history" label={texts.end} onClick={() => void perform(changes.end(memory), done.ended(ref))} />
        </>
      )}
      {canRestore && (
        <Action
          icon="back"
          label={texts.restore}
          onClick={() => void perform(changes.restore(memory), done.restored(ref))}
        />
      )}
      {memory.status !== "deleted" && (
        <Action
          icon="trash"
          label={texts.forget}
          onClick={() => void perform(changes.forget(memory), done.forgotten(ref))}
        />
      )}
      <button type="button" className="ks-link" data-danger onClick={() => setIsErasing(true)}>
        {texts.erase}
      </button>
      {isErasing && (
        <EraseDialog
          target={{ memory_ids: [memory.id] }}
          text={strings.erase.one(ref)}
          onClose={() => setIsErasing(false)}
        />
      )}
    </div>
  );
}

function Action({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }): ReactNode {
  return (
    <button type="button" className="ks-button" data-small onClick={onClick}>
      <Icon name={icon} size={15} />
      {label}
    </button>
  );
}
