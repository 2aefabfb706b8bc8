import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { isolate } from "./isolate.ts";
import manifest from "./package.json" with { type: "json" };

// What the application brings itself stays an import; everything else is in the bundle.
const external = Object.keys(manifest.peerDependencies).map((name) => new RegExp(`^${name}(/|$)`));

/** The entries with components, which a framework that renders on a server must leave to the browser. */
const CLIENT_ENTRIES = new Set(["react", "panel"]);

export default defineConfig({
  plugins: [react()],
  css: { postcss: { plugins: [isolate(`${import.meta.dirname}/src/panel/isolation.css`)] } },
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
    rolldownOptions: {
      external,
      output: { banner: ({ name, isEntry }) => (isEntry && CLIENT_ENTRIES.has(name) ? '"use client";' : "") },
    },
  },
});
