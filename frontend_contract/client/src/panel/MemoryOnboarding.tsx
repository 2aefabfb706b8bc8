/** The dialog that explains memory, once, before the first chat that builds it. */
import { useState, type ReactNode } from "react";
import { useKeepsake, useMemorySettings } from "../react";
import { Modal } from "./Modal";
import { useMemoryUi } from "./ui";

/** Shown while `onboarding_seen_at` is not set; `isNeeded` is false where the chat builds no memory. */
export function MemoryOnboarding(props: { isNeeded?: boolean; theme?: "auto" | "light" | "dark" }): ReactNode {
  const { isNeeded = true, theme = "auto" } = props;
  const { strings, fail, openSettings } = useMemoryUi();
  const { settings, update } = useMemorySettings();
  const { refresh } = useKeepsake();
  const [isClosed, setIsClosed] = useState(false);
  if (!isNeeded || isClosed || !settings || settings.onboarding_seen_at !== null) return null;
  const { onboarding: texts } = strings;
  const finish = (building: boolean) => {
    setIsClosed(true);
    const seen = { onboarding_seen_at: new Date().toISOString() };
    // The agreement makes the person's main profile where they have none, so what was read before holds no more.
    void update({ ...seen, building }).then(refresh, fail);
  };
  return (
    <div className="ks-root" data-theme={theme}>
      <Modal title={texts.title} onClose={() => finish(true)}>
        <p className="ks-lead">{texts.text}</p>
        <ul className="ks-points">
          {texts.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <button
          type="button"
          className="ks-link"
          onClick={() => {
            finish(true);
            openSettings();
          }}
        >
          {texts.settings}
        </button>
        <div className="ks-row" data-end>
          <button type="button" className="ks-button" data-quiet onClick={() => finish(false)}>
            {texts.pause}
          </button>
          <button type="button" className="ks-button" data-primary onClick={() => finish(true)}>
            {texts.start}
          </button>
        </div>
      </Modal>
    </div>
  );
}
