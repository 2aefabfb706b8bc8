/** Keeps the panel's styles and those of a host apart: a plugin for PostCSS, used where the package is built. */
import { readFileSync } from "node:fs";
import { parse, type Plugin, type Rule } from "postcss";

/** Matches every element, and weighs as much as an id: so no selector of a host with one id and elements outweighs ours. */
const WEIGHT = ":not(#ks)";
const BEGINNING = /^\.ks-[\w-]+/;

/** Put the rules of a file before the others, and let all of them outweigh a host's; its own variables it may still set. */
export function isolate(file: string): Plugin {
  return {
    postcssPlugin: "keepsake-isolate",
    Once(root) {
      root.prepend(parse(readFileSync(file, "utf8"), { from: file }));
      root.walkRules((rule) => {
        if (!isFrame(rule) && !setsVariablesOnly(rule)) rule.selectors = rule.selectors.map(outweigh);
      });
    },
  };
}

function outweigh(selector: string): string {
  if (!BEGINNING.test(selector)) throw new Error(`panel.css: "${selector}" would change the host's elements.`);
  return selector.replace(BEGINNING, `$&${WEIGHT}`);
}

function isFrame({ parent }: Rule): boolean {
  return parent?.type === "atrule" && "name" in parent && String(parent.name).endsWith("keyframes");
}

function setsVariablesOnly(rule: Rule): boolean {
  return rule.every((node) => node.type === "decl" && (node.prop.startsWith("--") || node.prop === "color-scheme"));
}
