import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import manifest from "./package.json" with { type: "json" };

// What the application brings itself stays an import; everything else is in the bundle.
const external = Object.keys(manifest.peerDependencies).map((name) => new RegExp(`^${name}(/|$)`));

export default defineConfig({
  plugins: [react()],
  build: {
    lib: {
      entry: {
        index: "src/index.ts",
        server: "src/server/index.ts",
        "ai-sdk": "src/ai-sdk/index.ts",
        react: "src/react/index.ts",
        panel: "src/panel/index.ts",
      },
      formats: ["es"],
      cssFileName: "panel",
    },
    target: "es2022",
    rolldownOptions: { external },
  },
  test: {
    // The examples import the package by its name.
    alias: [{ find: /^@keepsake\/client\/(server|ai-sdk)$/, replacement: `${import.meta.dirname}/src/$1/index.ts` }],
    include: ["tests/**/*.test.{ts,tsx}"],
    environment: "node",
    setupFiles: ["tests/support/patience.ts"],
    // A busy machine may be slow; only endlessness is an error.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
