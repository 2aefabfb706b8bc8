/** Chips under an answer: which memories it was given, with a preview; a chip opens the panel at its memory. */
import { useId, useState, type ReactNode } from "react";
import { refOf, useMemoriesById, type Memory } from "../react";
import { Tooltip } from "./Tooltip";
import { useMemoryUi } from "./ui";

export interface UsedMemoryChipsProps {
  /** `memory_ids` of `inject-memory`, or of `messages.meta`. */
  memoryIds: readonly string[];
  /** Chips before "+3 more"; default 3. */
  maxChips?: number;
  theme?: "auto" | "light" | "dark";
}

export function UsedMemoryChips({ memoryIds, maxChips = 3, theme = "auto" }: UsedMemoryChipsProps): ReactNode {
  const { chips: texts } = useMemoryUi().strings;
  const memories = useMemoriesById(memoryIds);
  const [areAllShown, setAreAllShown] = useState(false);
  if (!memories.length) return null;
  const shown = areAllShown || memories.length <= maxChips + 1 ? memories : memories.slice(0, maxChips);
  const hidden = memories.length - shown.length;
  return (
    <div className="ks-root ks-chips" data-theme={theme} role="group" aria-label={texts.label}>
      <span className="ks-chips-label">{texts.used}</span>
      {shown.map((memory) => (
        <MemoryChip key={memory.id} memory={memory} theme={theme} />
      ))}
      {hidden > 0 && (
        <button type="button" className="ks-chip" data-more onClick={() => setAreAllShown(true)}>
          {texts.more(hidden)}
        </button>
      )}
    </div>
  );
}

function MemoryChip({ memory, theme }: { memory: Memory; theme: string }): ReactNode {
  const { strings, openMemory } = useMemoryUi();
  const id = useId();
  const ref = refOf(memory);
  return (
    <Tooltip id={id} text={memory.memory_text} theme={theme} side="top">
      <button
        type="button"
        className="ks-chip"
        data-type={memory.memory_type}
        aria-label={strings.chips.open(`${ref} ${strings.typeOne[memory.memory_type]}`)}
        aria-describedby={id}
        onClick={() => openMemory(memory.id)}
      >
        {ref} <span>{strings.typeOne[memory.memory_type]}</span>
      </button>
    </Tooltip>
  );
}
