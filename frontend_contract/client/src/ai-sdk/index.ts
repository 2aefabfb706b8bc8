/** Middleware for the Vercel AI SDK: `wrapLanguageModel({ model, middleware: keepsakeMemory({ … }) })`. */
export { KeepsakeError } from "../errors";
export { keepsakeMemory, type KeepsakeMemory } from "./middleware";
export type { Answer, Injection, KeepsakeMemoryOptions, MemoryStage } from "./types";
