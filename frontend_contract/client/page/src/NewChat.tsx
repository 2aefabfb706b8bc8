/** The dialog that starts a chat: its kind, the profile, and with whom. */
import { useState, type FormEvent, type ReactNode } from "react";
import { Select } from "../../src/panel/MemoryFilters";
import { Modal } from "../../src/panel/Modal";
import { useProfiles } from "../../src/react";
import { useStartConversation } from "./conversations";
import { PageError } from "./PageError";
import type { SessionProps } from "./sessionProps";

export function NewChat(props: SessionProps & { onClose: () => void; onStarted: (id: string) => void }): ReactNode {
  const { setup, person, strings, onClose, onStarted } = props;
  const main = useProfiles().filter((each) => each.is_primary); // no other profile can be remembered
  const start = useStartConversation(person);
  const [mode, setMode] = useState("chat");
  const [profileId, setProfileId] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const guests = setup.people.filter(({ email }) => email !== person.email);
  const [guest, setGuest] = useState(guests[0]?.email ?? "");
  const chosen = profileId ?? main[0]?.id ?? "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const guestEmail = mode === "together" ? guest || null : null;
    const profile = profileId === null ? {} : { profileId: profileId || null };
    start({ mode, ...profile, guestEmail }).then(({ id }) => onStarted(id), setError);
  };
  const modes = Object.entries(strings.modes).filter(([name]) => name !== "together" || guests.length);
  return (
    <Modal title={strings.newChat} onClose={onClose}>
      <form className="kp-form" onSubmit={submit}>
        <Select label={strings.mode} value={mode} options={modes} onChange={setMode} />
        {mode === "together" && (
          <Select
            label={strings.with}
            value={guest}
            options={guests.map(({ email, name }) => [email, name])}
            onChange={setGuest}
          />
        )}
        <Select
          label={strings.profile}
          value={chosen}
          options={[...main.map(({ id, name }): [string, string] => [id, name ?? id]), ["", strings.noProfile]]}
          onChange={setProfileId}
        />
        {error !== null && <PageError error={error} strings={strings} />}
        <div className="ks-row" data-end>
          <button type="button" className="ks-button" data-quiet onClick={onClose}>
            {strings.cancel}
          </button>
          <button type="submit" className="ks-button" data-primary>
            {strings.start}
          </button>
        </div>
      </form>
    </Modal>
  );
}
