/** React components: the memory panel and what belongs beside a chat. */
import { browserOnly } from "./browserOnly";
import * as chips from "./UsedMemoryChips";
import * as onboarding from "./MemoryOnboarding";
import * as panel from "./MemoryPanel";
import * as remember from "./RememberInThisChat";
import * as summaries from "./SummaryArchive";
import * as toast from "./MemorySavedToast";
import "./panel.css";

export const MemoryOnboarding = browserOnly(onboarding.MemoryOnboarding);
export const MemoryPanel = browserOnly(panel.MemoryPanel);
export const MemorySavedToast = browserOnly(toast.MemorySavedToast);
export const RememberInThisChat = browserOnly(remember.RememberInThisChat);
export const SummaryArchive = browserOnly(summaries.SummaryArchive);
export const UsedMemoryChips = browserOnly(chips.UsedMemoryChips);
export type { MemoryPanelProps } from "./MemoryPanel";
export type { RememberInThisChatProps } from "./RememberInThisChat";
export type { Strings } from "./strings/en";
export { MemoryUiProvider, useMemoryUi, type MemoryUiProviderProps } from "./ui";
export type { UsedMemoryChipsProps } from "./UsedMemoryChips";
