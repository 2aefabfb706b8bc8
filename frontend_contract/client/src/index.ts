/** What every part shares. */
export {};
