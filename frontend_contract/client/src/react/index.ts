/** React hooks on top of supabase-js. */
export {};
