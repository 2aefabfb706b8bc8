/** The memories that the filters select: the pinned ones, the last 30 days, and older. */
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import { statusOf, useConversations, useMemoriesById, useUserMemory, type Memory, type MemoryFilter } from "../react";
import { LoadError } from "./LoadError";
import { MemoryBlocks } from "./MemoryBlocks";
import { MemoryItem } from "./MemoryItem";
import { useMemoryUi } from "./ui";

const RECENT_MILLISECONDS = 30 * 24 * 3600 * 1000;

export function MemoryList({ filter, isFiltered }: { filter: MemoryFilter; isFiltered: boolean }): ReactNode {
  const { strings } = useMemoryUi();
  const { memories, update, isLoading, isPreviousFilter, error, hasMore, loadMore, isLoadingMore } = useUserMemory(filter);
  const titles = useTitles();
  const list = useRef<HTMLDivElement>(null);
  const { openId, toggle, extra } = useOpenMemory(memories, list, isFiltered);
  const search = filter.search?.trim() ?? "";
  const groups = useMemo(() => groupMemories(extra ? [extra, ...memories] : memories), [memories, extra]);
  const edit = useCallback(
    (memory: Memory, text: string) => update(memory, { memory_text: text }),
    [update],
  );
  const renderMemory = useCallback(
    (memory: Memory, isOpen: boolean) => (
      <MemoryItem
        key={memory.id}
        memory={memory}
        search={search}
        conversation={memory.conversation_id ? titles.get(memory.conversation_id) : undefined}
        isOpen={isOpen}
        onToggle={toggle}
        onEdit={edit}
      />
    ),
    [search, titles, toggle, edit],
  );
  if (error && !memories.length) return <LoadError error={error} />;
  if (isLoading) return <p className="ks-empty" aria-busy>{strings.loading}</p>;
  if (!memories.length && !extra) return <EmptyList filter={filter} isFiltered={isFiltered} />;
  return (
    <div ref={list}>
      {search && !isPreviousFilter && (
        <p className="ks-count" role="status">
          {strings.list.found(memories.length)}
        </p>
      )}
      {groups.map(({ name, items }) => (
        <section key={name} className="ks-group" aria-label={strings.list[name]}>
          <h3>{strings.list[name]}</h3>
          <MemoryBlocks memories={items} openId={openId}>
            {renderMemory}
          </MemoryBlocks>
        </section>
      ))}
      {hasMore && (
        <button type="button" className="ks-button ks-more" disabled={isLoadingMore} onClick={() => void loadMore()}>
          {strings.list.more}
        </button>
      )}
    </div>
  );
}

function EmptyList({ filter, isFiltered }: { filter: MemoryFilter; isFiltered: boolean }): ReactNode {
  const { list } = useMemoryUi().strings;
  if (filter.view !== "current" && !filter.search) return <p className="ks-empty">{list.none}</p>;
  return (
    <div className="ks-empty">
      <p>{isFiltered ? list.nothingFound : list.empty}</p>
      <p className="ks-faint">{isFiltered ? list.nothingFoundHint : list.emptyHint}</p>
    </div>
  );
}

/** Titles of the conversations by id; null for one without a title. */
function useTitles(): Map<string, string | null> {
  const conversations = useConversations();
  return useMemo(() => new Map(conversations.map(({ id, title }) => [id, title])), [conversations]);
}

/** Which memory is open; one that a chip asks for is shown and focused even if the list does not hold it. */
function useOpenMemory(memories: Memory[], list: RefObject<HTMLDivElement | null>, isFiltered: boolean) {
  const { target } = useMemoryUi();
  const [openId, setOpenId] = useState<string | null>(target?.memoryId ?? null);
  const wanted = useMemo(() => (target ? [target.memoryId] : []), [target]);
  const [found] = useMemoriesById(wanted);
  const isListed = memories.some((memory) => memory.id === found?.id);
  const extra = found && !isListed && !isFiltered && openId === found.id ? found : null;
  const isShown = extra !== null || isListed;
  useEffect(() => setOpenId((before) => target?.memoryId ?? before), [target]);
  useEffect(() => {
    if (!isShown || target?.memoryId !== openId) return;
    const item = list.current?.querySelector<HTMLElement>(`[data-memory="${target.memoryId}"]`);
    void item?.scrollIntoView({ block: "nearest" });
    item?.querySelector<HTMLElement>("button")?.focus();
  }, [target, openId, isShown, list]);
  const toggle = useCallback((id: string) => setOpenId((before) => (before === id ? null : id)), []);
  return { openId, toggle, extra };
}

function groupMemories(memories: Memory[]): { name: "pinned" | "recent" | "older"; items: Memory[] }[] {
  const limit = Date.now() - RECENT_MILLISECONDS;
  const isPinned = (memory: Memory) => memory.pinned && statusOf(memory) === "active";
  const others = memories.filter((memory) => !isPinned(memory));
  const recent = others.filter((memory) => Date.parse(memory.created_at) >= limit);
  const older = others.filter((memory) => Date.parse(memory.created_at) < limit);
  const groups = [
    { name: "pinned" as const, items: memories.filter(isPinned) },
    { name: "recent" as const, items: recent },
    { name: "older" as const, items: older },
  ];
  return groups.filter(({ items }) => items.length);
}
