/** React hooks on top of supabase-js. */
export { RequestError } from "./errors";
export type { SummaryLevel, LevelRow, LevelRows } from "./levels";
export type { MemoryFilter, MemoryView } from "./memory_queries";
export { KeepsakeProvider, useConnectionError, useKeepsake, type KeepsakeProviderProps } from "./provider";
export * from "./rows";
export { useConversationMemory, type ConversationMemory, type SilenceReason } from "./useConversationMemory";
export { useEntities, type Entities } from "./useEntities";
export { useMemoryChanges, type MemoryChanges, type MemoryPatch } from "./useMemoryChanges";
export { useConversations, useMemoriesById, useMemoryDetails, useProfiles, type MemoryDetails } from "./useMemoryDetails";
export { useIsKnown, useMemoryOverview, useMemorySettings, type SettingsPatch, type UserMemorySettings } from "./useMemorySettings";
export { useOperations, usePendingOperations, type Operations, type PendingOperations } from "./useOperations";
export { useSavedMemories, type SavedMemories } from "./useSavedMemories";
export { useForgetSummary, useSummaries, type EndedMemory, type Mood, type Summaries } from "./useSummaries";
export { useTodos, type TodoPatch, type Todos } from "./useTodos";
export { useTransfer, type ErasureReport, type ErasureTarget, type ImportReport, type Transfer } from "./useTransfer";
export { useYearlyComparison, type YearlyComparison } from "./useYearlyComparison";
export { useUserMemory, type UserMemory, type UserMemoryOptions } from "./useUserMemory";
