/** Chips under an answer: how the memories begin that it was given; a chip shows all of its text, and opens the panel at its memory. */
import { useId, useState, type ReactNode } from "react";
import { useMemoriesById, type Memory } from "../react";
import { Tooltip } from "./Tooltip";
import { useMemoryUi } from "./ui";

/** In characters: how much of a memory stands in its chip. */
const MAX_LENGTH = 36;

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
  const text = beginningOf(memory.memory_text);
  return (
    <Tooltip id={id} text={memory.memory_text} theme={theme} side="top">
      <button
        type="button"
        className="ks-chip"
        data-type={memory.memory_type}
        aria-label={strings.chips.open(text, strings.typeOne[memory.memory_type])}
        aria-describedby={id}
        onClick={() => openMemory(memory.id)}
      >
        {text}
      </button>
    </Tooltip>
  );
}

/** A text that is short enough, or its first words and an ellipsis; of a long word its first characters. */
function beginningOf(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_LENGTH) return text;
  const start = characters.slice(0, MAX_LENGTH).join("");
  const end = start.lastIndexOf(" ");
  return `${end > MAX_LENGTH / 2 ? start.slice(0, end) : start}…`;
}
