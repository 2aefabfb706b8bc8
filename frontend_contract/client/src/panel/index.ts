/** React components: the memory panel and what belongs beside a chat. */
import "./panel.css";

export { MemoryOnboarding } from "./MemoryOnboarding";
export { MemoryPanel, type MemoryPanelProps } from "./MemoryPanel";
export { MemorySavedToast } from "./MemorySavedToast";
export { RememberInThisChat, type RememberInThisChatProps } from "./RememberInThisChat";
export type { Strings } from "./strings/en";
export { SummaryArchive } from "./SummaryArchive";
export { MemoryUiProvider, useMemoryUi, type MemoryUiProviderProps } from "./ui";
export { UsedMemoryChips, type UsedMemoryChipsProps } from "./UsedMemoryChips";
