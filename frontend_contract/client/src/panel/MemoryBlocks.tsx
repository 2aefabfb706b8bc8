/** Divides a long list into blocks; only the rows of those near the visible part are in the document. */
import { memo, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import type { Memory } from "../react";

export interface MemoryBlocksProps {
  memories: Memory[];
  /** The block of the open memory stays in the document wherever one scrolls. */
  openId: string | null;
  /** Draws a row; a new function draws all rows again. */
  children: (memory: Memory, isOpen: boolean) => ReactNode;
}

const BLOCK_ROWS = 20;
/** In pixels, until a block has been measured. */
const ROW_HEIGHT = 76;
/** What is as far away as the visible part is high counts as near. */
const MARGIN = "100% 0px";

export function MemoryBlocks({ memories, openId, children }: MemoryBlocksProps): ReactNode {
  const [anchor, setAnchor] = useState(memories[0]?.id);
  const isAnchored = memories.some(({ id }) => id === anchor);
  if (!isAnchored && anchor !== memories[0]?.id) setAnchor(memories[0]?.id);
  const blocks = useMemo(() => divide(memories, anchor), [memories, anchor]);
  return blocks.map(([number, block], index) => (
    <MemoryBlock
      key={number}
      memories={block}
      openId={block.some(({ id }) => id === openId) ? openId : null}
      isFirst={index === 0}
    >
      {children}
    </MemoryBlock>
  ));
}

/** Blocks with their numbers, counted from a memory that was there before, so that a new one in front of it moves no row
 * into another block, which would draw the row anew while the person types in it. */
function divide(memories: Memory[], anchor: string | undefined): [number: number, block: Memory[]][] {
  const first = Math.max(memories.findIndex(({ id }) => id === anchor), 0);
  const blocks = new Map<number, Memory[]>();
  for (const [index, memory] of memories.entries()) {
    const number = Math.floor((index - first) / BLOCK_ROWS);
    const block = blocks.get(number);
    if (block) block.push(memory);
    else blocks.set(number, [memory]);
  }
  return [...blocks];
}

const MemoryBlock = memo(function MemoryBlock(props: MemoryBlocksProps & { isFirst: boolean }): ReactNode {
  const { memories, openId, isFirst, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const { isNear, measured } = useNearness(list, isFirst);
  if (isNear || openId) {
    return (
      <ul ref={list} className="ks-memories">
        {memories.map((memory) => children(memory, memory.id === openId))}
      </ul>
    );
  }
  const height = measured?.rows === memories.length ? measured.height : memories.length * ROW_HEIGHT;
  return <ul ref={list} className="ks-memories" style={{ height }} aria-hidden />;
});

/** Whether an element is near the visible part of what scrolls, or has the focus; and how high it was with its rows. */
function useNearness(list: RefObject<HTMLUListElement | null>, isFirst: boolean) {
  const [isNear, setIsNear] = useState(isFirst);
  const [measured, setMeasured] = useState<{ rows: number; height: number } | null>(null);
  useEffect(() => {
    const element = list.current as HTMLUListElement;
    const note = ([entry]: IntersectionObserverEntry[]) => {
      if (!entry) return;
      const rows = element.childElementCount;
      if (!entry.isIntersecting && rows) setMeasured({ rows, height: entry.boundingClientRect.height });
      setIsNear(entry.isIntersecting || element.contains(document.activeElement));
    };
    const observer = new IntersectionObserver(note, { root: element.closest(".ks-tab-content"), rootMargin: MARGIN });
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
  return { isNear, measured };
}
