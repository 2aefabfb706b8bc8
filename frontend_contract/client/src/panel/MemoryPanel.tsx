/** The memory panel: everything that is remembered of a person, and everything they can do about it. */
import * as Tabs from "@radix-ui/react-tabs";
import { startTransition, useDeferredValue, useEffect, useState, type ReactNode } from "react";
import { useEntities, useMemoryOverview, type MemoryFilter, type MemoryOverview } from "../react";
import { useProfilesQuery } from "../react/useMemoryDetails";
import { ConnectionStatus } from "./ConnectionStatus";
import { MemoryFilters } from "./MemoryFilters";
import { MemoryList } from "./MemoryList";
import { PeopleTab } from "./PeopleTab";
import { Questions } from "./Questions";
import { SettingsTab } from "./SettingsTab";
import { SummaryArchive } from "./SummaryArchive";
import { TodosTab } from "./TodosTab";
import { useMemoryUi } from "./ui";

export interface MemoryPanelProps {
  /** `auto` follows the system. */
  theme?: "auto" | "light" | "dark";
  /** Shows a button that closes the panel. */
  onClose?: () => void;
}

const TABS = ["memories", "todos", "summaries", "people", "settings"] as const;
type Tab = (typeof TABS)[number];

export function MemoryPanel({ theme = "auto", onClose }: MemoryPanelProps): ReactNode {
  const { strings, target, settingsCount, summariesCount } = useMemoryUi();
  const [tab, setTab] = useState<Tab>("memories");
  const { overview } = useMemoryOverview();
  const { proposals } = useEntities();
  useEffect(() => {
    if (target) setTab("memories");
  }, [target]);
  useEffect(() => {
    if (settingsCount) setTab("settings");
  }, [settingsCount]);
  useEffect(() => {
    if (summariesCount) setTab("summaries");
  }, [summariesCount]);
  return (
    <section className="ks-root ks-panel" data-theme={theme} lang={strings.locale} aria-label={strings.title}>
      <PanelHeader overview={overview} {...(onClose ? { onClose } : {})} />
      <ConnectionStatus />
      <Tabs.Root className="ks-tabs" value={tab} onValueChange={(value) => startTransition(() => setTab(value as Tab))}>
        <Tabs.List className="ks-tab-list" aria-label={strings.title}>
          {TABS.map((name) => (
            <Tabs.Trigger key={name} value={name} className="ks-tab">
              {strings.tabs[name]}
              {name === "people" && proposals.length > 0 && <span className="ks-badge">{proposals.length}</span>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="memories" className="ks-tab-content">
          <MemoriesTab overview={overview} />
        </Tabs.Content>
        <Tabs.Content value="todos" className="ks-tab-content">
          <TodosTab />
        </Tabs.Content>
        <Tabs.Content value="summaries" className="ks-tab-content">
          <SummaryArchive />
        </Tabs.Content>
        <Tabs.Content value="people" className="ks-tab-content">
          <PeopleTab />
        </Tabs.Content>
        <Tabs.Content value="settings" className="ks-tab-content">
          <SettingsTab />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}

function PanelHeader({ overview, onClose }: { overview: MemoryOverview | undefined; onClose?: () => void }): ReactNode {
  const { strings } = useMemoryUi();
  const texts = strings.overview;
  const settings = overview?.settings;
  const { data: profiles } = useProfilesQuery();
  const hasProfile = !profiles || profiles.some((each) => each.is_primary);
  const state = !settings?.enabled ? "off" : !settings.building ? "paused" : hasProfile ? "active" : "none";
  const details = overview
    ? [
        ...(overview.pinned ? [texts.pinned(overview.pinned)] : []),
        ...(overview.by_status.superseded ? [texts.replaced(overview.by_status.superseded)] : []),
      ]
    : [];
  return (
    <header className="ks-header">
      <div className="ks-overview">
        <h2 className="ks-total">
          <span className="ks-big">{overview?.active ?? "–"}</span> {texts.remembered(overview?.active ?? 0)}
        </h2>
        {overview && (
          <p className="ks-status" data-state={state}>
            <span className="ks-status-dot" aria-hidden />
            {[texts[state], ...details].join(" · ")}
          </p>
        )}
      </div>
      {onClose && (
        <button type="button" className="ks-icon-button" aria-label={strings.close} onClick={onClose}>
          <span aria-hidden>×</span>
        </button>
      )}
    </header>
  );
}

const NO_FILTER: MemoryFilter = { view: "current", types: [], search: "", profileId: null, source: null, pinnedOnly: false };

function MemoriesTab({ overview }: { overview: MemoryOverview | undefined }): ReactNode {
  const { target } = useMemoryUi();
  const [filter, setFilter] = useState<MemoryFilter>(NO_FILTER);
  const deferred = useDeferredValue(filter);
  useEffect(() => {
    if (target) setFilter(NO_FILTER);
  }, [target]);
  const { search, types, profileId, source, pinnedOnly } = filter;
  const isFiltered = Boolean(search || types?.length || profileId || source || pinnedOnly);
  return (
    <>
      <MemoryFilters filter={filter} overview={overview} onChange={(patch) => setFilter({ ...filter, ...patch })} />
      {!isFiltered && filter.view === "current" && <Questions />}
      <MemoryList filter={deferred} isFiltered={isFiltered} />
    </>
  );
}
