/** The memory icon in a chat's header, and its toggle; gray, with the reason, where nothing is remembered. */
import { useId, type ReactNode } from "react";
import { useConversationMemory, useKeepsake, useMemorySettings, type Conversation, type SilenceReason } from "../react";
import { Icon } from "./icons";
import { Tooltip } from "./Tooltip";
import { useMemoryUi } from "./ui";

/** The toggle cannot change these: they are decided elsewhere. */
const FIXED: ReadonlySet<SilenceReason> = new Set(["paused", "disabled"]);
/** The toggle ends these by choosing the main profile for the chat, such as after another profile became the main one. */
const OTHER_PROFILE: ReadonlySet<SilenceReason> = new Set(["no_profile", "not_primary"]);

export interface RememberInThisChatProps {
  conversation: Pick<Conversation, "id" | "mode"> | null;
  theme?: "auto" | "light" | "dark";
}

export function RememberInThisChat({ conversation, theme = "auto" }: RememberInThisChatProps): ReactNode {
  const { strings, notify, fail } = useMemoryUi();
  const { isRemembering, reason, primaryProfileId, setEnabled, setProfile } = useConversationMemory(conversation);
  const { update } = useMemorySettings();
  const { refresh } = useKeepsake();
  const id = useId();
  if (isRemembering === undefined) return null;
  const hasOtherProfile = reason !== null && OTHER_PROFILE.has(reason);
  const isFixed = reason !== null && FIXED.has(reason);
  const offer = primaryProfileId === null ? strings.remember.agree : strings.remember.offer;
  const explanation = reason ? strings.silence[reason] + (hasOtherProfile ? ` ${offer}` : "") : strings.remember.on;
  /** The database then makes the person's main profile, and chooses it for their chats. */
  const agree = () => update({ onboarding_seen_at: new Date().toISOString(), building: true }).then(refresh);
  const choose = () => (primaryProfileId === null ? agree() : setProfile(primaryProfileId));
  const toggle = () => (hasOtherProfile ? choose() : setEnabled(!isRemembering)).catch(fail);
  return (
    <Tooltip id={id} text={explanation} theme={theme} side="bottom">
      <button
        type="button"
        role="switch"
        className="ks-root ks-remember"
        data-theme={theme}
        aria-checked={isRemembering}
        aria-disabled={isFixed || undefined}
        aria-describedby={id}
        onClick={() => (isFixed ? notify({ title: explanation }) : void toggle())}
      >
        <Icon name="memory" />
        <span>{strings.remember.label}</span>
        <span className="ks-track" aria-hidden />
      </button>
    </Tooltip>
  );
}
