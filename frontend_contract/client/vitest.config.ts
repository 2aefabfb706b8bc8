import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  test: {
    // The examples import the package by its name.
    alias: [
      { find: /^@keepsake\/client\/(server|ai-sdk|react|panel)$/, replacement: `${import.meta.dirname}/src/$1/index.ts` },
      { find: "@keepsake/client/panel.css", replacement: `${import.meta.dirname}/src/panel/panel.css` },
    ],
    include: ["tests/**/*.test.{ts,tsx}"],
    environment: "node",
    setupFiles: ["tests/support/patience.ts"],
    // A busy machine may be slow; only endlessness is an error.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
