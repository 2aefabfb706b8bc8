/** The dialog that explains memory, once: before the first chat that builds it, or where somebody is remembered already. */
import { useState, type ReactNode } from "react";
import { useIsKnown, useKeepsake, useMemorySettings } from "../react";
import { Modal } from "./Modal";
import { useMemoryUi } from "./ui";

/** Shown while `onboarding_seen_at` is not set; `isNeeded` is false where the chat builds no memory. Only a button answers. */
export function MemoryOnboarding(props: { isNeeded?: boolean; theme?: "auto" | "light" | "dark" }): ReactNode {
  const { isNeeded = true, theme = "auto" } = props;
  const { strings, fail, openSettings } = useMemoryUi();
  const { settings, update } = useMemorySettings();
  const { refresh } = useKeepsake();
  const [isClosed, setIsClosed] = useState(false);
  const isOpen = isNeeded && !isClosed && settings?.onboarding_seen_at === null;
  const isKnown = useIsKnown(isOpen);
  if (!isOpen || isKnown === undefined) return null;
  const { onboarding } = strings;
  const texts = isKnown ? onboarding.known : onboarding;
  const close = () => setIsClosed(true);
  const finish = (choice: { building?: boolean }) => {
    close();
    // The agreement makes the person's main profile where they have none, so what was read before holds no more.
    void update({ onboarding_seen_at: new Date().toISOString(), ...choice }).then(refresh, fail);
  };
  return (
    <div className="ks-root" data-theme={theme}>
      <Modal title={texts.title} onClose={close}>
        <p className="ks-lead">{texts.text}</p>
        <ul className="ks-points">
          {onboarding.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <button
          type="button"
          className="ks-link"
          onClick={() => {
            close();
            openSettings();
          }}
        >
          {onboarding.settings}
        </button>
        <div className="ks-row" data-end>
          <button type="button" className="ks-button" data-quiet onClick={() => finish({ building: false })}>
            {texts.pause}
          </button>
          <button type="button" className="ks-button" data-primary onClick={() => finish(isKnown ? {} : { building: true })}>
            {onboarding.start}
          </button>
        </div>
      </Modal>
    </div>
  );
}
