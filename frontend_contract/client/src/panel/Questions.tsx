/** What waits for the person's answer: doubted memories, and what an agent asks to have forgotten. */
import type { ReactNode } from "react";
import { refOf, useMemoryChanges, usePendingOperations, useUserMemory } from "../react";
import { Icon } from "./icons";
import { useMemoryUi } from "./ui";

/** More come up as these are answered. */
const MAX_SHOWN = 5;

export function Questions(): ReactNode {
  return (
    <>
      <PendingQuestions />
      <DoubtQuestions />
    </>
  );
}

function DoubtQuestions(): ReactNode {
  const { strings, perform } = useMemoryUi();
  const { memories } = useUserMemory({ view: "doubted" });
  const { confirm, end } = useMemoryChanges();
  const doubted = memories.filter((memory) => memory.doubted_at !== null);
  if (!doubted.length) return null;
  return (
    <section className="ks-questions" aria-label={strings.memory.doubted}>
      <h3>
        <Icon name="question" size={16} />
        {strings.doubt.title(doubted.length)}
      </h3>
      <p className="ks-faint">{strings.doubt.explanation}</p>
      <ul>
        {doubted.slice(0, MAX_SHOWN).map((memory) => (
          <li key={memory.id}>
            <span>
              {memory.memory_text} <span className="ks-ref">{refOf(memory)}</span>
            </span>
            <span className="ks-row">
              <button
                type="button"
                className="ks-button"
                data-small
                onClick={() => void perform(confirm(memory), strings.done.confirmed(refOf(memory)), memory.memory_text)}
              >
                {strings.memory.confirm}
              </button>
              <button
                type="button"
                className="ks-button"
                data-small
                onClick={() => void perform(end(memory), strings.done.ended(refOf(memory)), memory.memory_text)}
              >
                {strings.memory.end}
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PendingQuestions(): ReactNode {
  const { strings, perform } = useMemoryUi();
  const { pending, answer } = usePendingOperations();
  if (!pending.length) return null;
  return (
    <section className="ks-questions" aria-label={strings.pending.title}>
      <h3>
        <Icon name="question" size={16} />
        {strings.pending.title}
      </h3>
      <ul>
        {pending.map((operation) => (
          <li key={operation.operation_id}>
            <span>{operation.memories.map((memory) => `${memory.text} (${memory.ref})`).join("; ")}</span>
            <span className="ks-row">
              {([true, false] as const).map((accept) => (
                <button
                  key={String(accept)}
                  type="button"
                  className="ks-button"
                  data-small
                  onClick={() =>
                    void perform(
                      answer(operation.operation_id, accept),
                      accept ? strings.pending.accepted : strings.pending.refused,
                    )
                  }
                >
                  {accept ? strings.pending.accept : strings.pending.refuse}
                </button>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
