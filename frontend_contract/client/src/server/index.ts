/** For backends: one method per function of Keepsake. */
export {};
