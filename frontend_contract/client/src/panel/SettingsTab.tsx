/** The person's choices: what is remembered, for how long, and their data. */
import { useId, type ReactNode } from "react";
import { MEMORY_TYPES, useMemoryOverview, useMemorySettings, type MemoryType } from "../react";
import { DataSettings } from "./DataSettings";
import { LoadError } from "./LoadError";
import { useMemoryUi } from "./ui";

const RETENTION_DAYS = [7, 30, 90, 365];

export function SettingsTab(): ReactNode {
  const { strings, fail } = useMemoryUi();
  const { overview } = useMemoryOverview();
  const { settings, error, update } = useMemorySettings();
  if (!settings && error) return <LoadError error={error} />;
  if (!settings) return <p className="ks-empty">{strings.loading}</p>;
  const texts = strings.settings;
  const change = (patch: Parameters<typeof update>[0]) => void update(patch).catch(fail);
  const allow = (type: MemoryType, isAllowed: boolean) =>
    change(({ allowed_types }) => ({
      allowed_types: MEMORY_TYPES.filter((each) => (each === type ? isAllowed : allowed_types.includes(each))),
    }));
  const keep = (type: MemoryType, days: number | null) =>
    change(({ retention_days: { [type]: _before, ...others } }) => ({
      retention_days: days ? { ...others, [type]: days } : others,
    }));
  return (
    <div className="ks-settings">
      <p className="ks-explanation">{strings.overview.explanation}</p>
      <fieldset className="ks-fieldset">
        <legend>{texts.what}</legend>
        <Switch label={texts.building} hint={texts.buildingHint} isOn={settings.building} onChange={(building) => change({ building })} />
        <Switch label={texts.enabled} hint={texts.enabledHint} isOn={settings.enabled} onChange={(enabled) => change({ enabled })} />
        <Switch label={texts.longTerm} hint={texts.longTermHint} isOn={settings.long_term} onChange={(long_term) => change({ long_term })} />
      </fieldset>
      <fieldset className="ks-fieldset">
        <legend>{texts.allowed}</legend>
        <ul className="ks-allowed">
          {MEMORY_TYPES.map((type) => (
            <li key={type}>
              <label className="ks-check">
                <input
                  type="checkbox"
                  checked={settings.allowed_types.includes(type)}
                  onChange={(event) => allow(type, event.target.checked)}
                />
                {strings.types[type]}
              </label>
              <select
                className="ks-field"
                aria-label={`${texts.retention}: ${strings.types[type]}`}
                value={settings.retention_days[type] ?? ""}
                onChange={(event) => keep(type, Number(event.target.value) || null)}
              >
                <option value="">{texts.always}</option>
                {retentionOptions(settings.retention_days[type]).map((days) => (
                  <option key={days} value={days}>
                    {texts.days(days)}
                  </option>
                ))}
              </select>
            </li>
          ))}
        </ul>
      </fieldset>
      <DataSettings overview={overview} />
    </div>
  );
}

/** The usual numbers, and the one that another program has set. */
function retentionOptions(current: number | undefined): number[] {
  return [...new Set([...RETENTION_DAYS, ...(current ? [current] : [])])].sort((one, other) => one - other);
}

export function Switch(props: { label: string; hint?: string; isOn: boolean; onChange: (isOn: boolean) => void }): ReactNode {
  const { label, hint, isOn, onChange } = props;
  const id = useId();
  return (
    <div className="ks-switch">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      {hint && (
        <p id={`${id}-hint`} className="ks-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
