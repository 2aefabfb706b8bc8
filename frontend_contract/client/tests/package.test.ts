import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

it("names types and code of every entry", () => {
  for (const [entry, files] of Object.entries(manifest.exports)) {
    if (typeof files === "object") expect(Object.keys(files), entry).toEqual(["types", "default"]);
  }
});
