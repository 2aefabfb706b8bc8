/** Search and filters of the list: pinned ones, and by type, state, profile and source. */
import { useId, useState, type ReactNode } from "react";
import {
  MEMORY_TYPES,
  useProfiles,
  type MemoryFilter,
  type MemoryOverview,
  type MemoryType,
  type MemoryView,
} from "../react";
import { Icon } from "./icons";
import { useMemoryUi } from "./ui";

const VIEWS: readonly MemoryView[] = ["current", "doubted", "replaced", "archived", "deleted"];
const SOURCES = ["rule_extraction", "llm_extraction", "user", "agent_tool", "import", "seeded_profile", "curated_fold"];

export interface MemoryFiltersProps {
  filter: MemoryFilter;
  overview: MemoryOverview | undefined;
  onChange: (patch: Partial<MemoryFilter>) => void;
}

export function MemoryFilters({ filter, overview, onChange }: MemoryFiltersProps): ReactNode {
  const { strings } = useMemoryUi();
  const [areShown, setAreShown] = useState(false);
  const id = useId();
  const types = filter.types ?? [];
  const toggle = (type: MemoryType) =>
    onChange({ types: types.includes(type) ? types.filter((each) => each !== type) : [...types, type] });
  const isCurrent = (filter.view ?? "current") === "current";
  const shown = MEMORY_TYPES.filter((type) => !isCurrent || types.includes(type) || overview?.by_type[type]);
  return (
    <div className="ks-filters">
      <div className="ks-row">
        <SearchField value={filter.search ?? ""} onChange={(search) => onChange({ search })} />
        <button
          type="button"
          className="ks-icon-button"
          aria-label={strings.list.filters}
          aria-expanded={areShown}
          aria-controls={id}
          data-active={filter.view !== "current" || Boolean(filter.profileId) || Boolean(filter.source) || undefined}
          onClick={() => setAreShown(!areShown)}
        >
          <Icon name="filter" />
        </button>
      </div>
      <div className="ks-types" role="group" aria-label={strings.list.byType}>
        {isCurrent && (filter.pinnedOnly || Boolean(overview?.pinned)) && (
          <button
            type="button"
            className="ks-type-filter"
            data-type="pinned"
            aria-pressed={filter.pinnedOnly ?? false}
            onClick={() => onChange({ pinnedOnly: !filter.pinnedOnly })}
          >
            <Icon name="pin" size={13} />
            {strings.list.pinned} <span className="ks-number">{overview?.pinned}</span>
          </button>
        )}
        {shown.map((type) => (
          <button
            key={type}
            type="button"
            className="ks-type-filter"
            data-type={type}
            aria-pressed={types.includes(type)}
            onClick={() => toggle(type)}
          >
            {strings.types[type]} {isCurrent && <span className="ks-number">{overview?.by_type[type]}</span>}
          </button>
        ))}
      </div>
      <div id={id} className="ks-selects" hidden={!areShown}>
        <Select
          label={strings.list.view}
          value={filter.view ?? "current"}
          options={VIEWS.map((view) => [view, strings.views[view]])}
          onChange={(view) => onChange({ view: view as MemoryView, pinnedOnly: false })}
        />
        <ProfileSelect value={filter.profileId ?? ""} onChange={(profileId) => onChange({ profileId: profileId || null })} />
        <Select
          label={strings.list.source}
          value={filter.source ?? ""}
          options={[["", strings.list.allSources], ...SOURCES.map((each): Option => [each, sourceName(each, strings)])]}
          onChange={(source) => onChange({ source: source || null })}
        />
      </div>
    </div>
  );
}

function sourceName(source: string, { sources }: { sources: Record<string, string> }): string {
  return `${sources[source] ?? source}${source === "llm_extraction" ? " (AI)" : ""}`;
}

type Option = [value: string, label: string];

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  const { list } = useMemoryUi().strings;
  return (
    <div className="ks-search" role="search">
      <Icon name="search" size={16} />
      <input
        type="search"
        className="ks-field"
        placeholder={list.search}
        aria-label={list.search}
        value={value}
        maxLength={200}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function ProfileSelect({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  const { list } = useMemoryUi().strings;
  const profiles = useProfiles();
  if (profiles.length < 2) return null;
  const options = profiles.map((profile): Option => [profile.id, profile.nickname ?? profile.name ?? profile.id]);
  return <Select label={list.profile} value={value} options={[["", list.allProfiles], ...options]} onChange={onChange} />;
}

/** A labeled selection; the browser's own, which every device shows in its way. */
export function Select(props: {
  label: string;
  value: string;
  options: Option[];
  onChange: (value: string) => void;
}): ReactNode {
  const { label, value, options, onChange } = props;
  return (
    <label className="ks-select">
      <span>{label}</span>
      <select className="ks-field" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
