/** The people, places and things that memories are about, and names that may mean the same one. */
import { useRef, type ReactNode } from "react";
import { useEntities, type Entities, type Entity } from "../react";
import { useDraft } from "./drafts";
import { Editor } from "./Editor";
import { Icon } from "./icons";
import { LoadError } from "./LoadError";
import { useMemoryUi } from "./ui";

export function PeopleTab(): ReactNode {
  const { strings, perform } = useMemoryUi();
  const { entities, proposals, isLoading, error, rename, confirmAlias, refuseAlias } = useEntities();
  const labels = new Map(entities.map((entity) => [entity.key, entity.label]));
  const shown = entities.filter((entity) => entity.key !== "person:self");
  const { people: texts, done } = strings;
  if (error && !entities.length) return <LoadError error={error} />;
  if (isLoading) return <p className="ks-empty">{strings.loading}</p>;
  return (
    <>
      {proposals.length > 0 && (
        <section className="ks-questions" aria-label={texts.proposals}>
          <h3>
            <Icon name="question" size={16} />
            {texts.proposals}
          </h3>
          <ul>
            {proposals.map((proposal) => (
              <li key={proposal.id}>
                <span>
                  {texts.question(labels.get(proposal.variant) ?? nameOfKey(proposal.variant), labels.get(proposal.key) ?? nameOfKey(proposal.key))}
                </span>
                <span className="ks-row">
                  <button type="button" className="ks-button" data-small onClick={() => void perform(confirmAlias(proposal.id), done.joined)}>
                    {texts.same}
                  </button>
                  <button type="button" className="ks-button" data-small onClick={() => void perform(refuseAlias(proposal.id), done.apart)}>
                    {texts.different}
                  </button>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {shown.length === 0 ? (
        <p className="ks-empty">{texts.empty}</p>
      ) : (
        <>
          <p className="ks-explanation">{texts.explanation}</p>
          <ul className="ks-entities">
            {shown.map((entity) => (
              <EntityItem key={entity.id} entity={entity} rename={rename} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A readable name of an entity that has no row yet: `person:ana_maria` is "Ana Maria". */
function nameOfKey(key: string): string {
  const words = key.slice(key.indexOf(":") + 1).split("_");
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(" ");
}

function EntityItem({ entity, rename }: { entity: Entity; rename: Entities["rename"] }): ReactNode {
  const { people: texts, done } = useMemoryUi().strings;
  const state = useDraft<string>(entity.id);
  const opener = useRef<HTMLButtonElement>(null);
  if (state.draft) {
    const label = state.draft.values.trim();
    return (
      <li className="ks-entity">
        <Editor
          state={state}
          canSave={label !== ""}
          send={label === entity.label ? null : () => rename(entity.id, label)}
          done={done.renamed(label)}
          opener={opener}
        >
          <input
            className="ks-field"
            aria-label={texts.renameLabel(entity.label)}
            value={state.draft.values}
            maxLength={80}
            onChange={(event) => state.edit(event.target.value)}
          />
        </Editor>
      </li>
    );
  }
  return (
    <li className="ks-entity">
      <span>
        <strong>{entity.label}</strong>
        {entity.aliases.length > 0 && (
          <span className="ks-faint">
            {" "}
            {texts.alsoKnown} {entity.aliases.join(", ")}
          </span>
        )}
        <span className="ks-faint ks-kind">{texts.kinds[entity.kind] ?? entity.kind}</span>
      </span>
      <button
        ref={opener}
        type="button"
        className="ks-icon-button"
        aria-label={`${texts.rename}: ${entity.label}`}
        onClick={() => state.edit(entity.label)}
      >
        <Icon name="edit" size={16} />
      </button>
    </li>
  );
}
