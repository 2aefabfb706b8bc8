/** Middleware for the Vercel AI SDK. */
export {};
