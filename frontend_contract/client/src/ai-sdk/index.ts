/** Middleware for the Vercel AI SDK: `wrapLanguageModel({ model, middleware: keepsakeMemory({ … }) })`. */
export { KeepsakeError } from "../errors.js";
export { keepsakeMemory, type KeepsakeMemory } from "./middleware.js";
export type { Answer, Injection, KeepsakeMemoryOptions, MemoryStage } from "./types.js";
