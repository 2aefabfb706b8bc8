/** The icons, drawn with the current color. */
import type { ReactNode } from "react";

const PATHS = {
  memory: "M12 20s-7.5-4.6-7.5-10A4.5 4.5 0 0 1 12 6.6 4.5 4.5 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10Z",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm5 12 4.5 4.5",
  pin: "M9 3.5h6l-1 6 3 3.5H7l3-3.5-1-6Zm3 9.5v7.5",
  edit: "M4.5 19.5 5.6 15 15.8 4.8a1.6 1.6 0 0 1 2.3 0l1.1 1.1a1.6 1.6 0 0 1 0 2.3L9 18.4l-4.5 1.1Z",
  check: "m5 12.5 4.5 4.5L19 7.5",
  history: "M4 12a8 8 0 1 0 2.6-5.9M4 4.5V9h4.5M12 8v4.5l3 2",
  trash: "M5 7h14M10 7V4.5h4V7m-7.5 0 1 12.5h9l1-12.5M10.5 11v5M13.5 11v5",
  chevron: "m8 10 4 4 4-4",
  question: "M9 9.3a3 3 0 1 1 4.3 2.7c-.9.4-1.3 1-1.3 2v.3M12 17.6v.2",
  back: "M9.5 7 4.5 12l5 5M5 12h9.5a5 5 0 0 1 5 5",
  filter: "M4 6.5h16M7 12h10M10 17.5h4",
  chat: "M4.5 5.5h15v10.5h-9L6 19.5V16H4.5V5.5Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg className="ks-icon" style={{ width: size, height: size }} viewBox="0 0 24 24" aria-hidden focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
