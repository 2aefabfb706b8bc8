/** What every part of the page knows of a signed-in person. */
import type { Person } from "./account";
import type { Setup } from "./backend";
import type { Theme } from "./preferences";
import type { PageStrings } from "./strings";

export interface Preferences {
  theme: Theme;
  setTheme: (theme: Theme) => void;
  locale: string;
  setLocale: (locale: string) => void;
}

export interface SessionProps {
  setup: Setup;
  person: Person;
  strings: PageStrings;
  preferences: Preferences;
  onLeave: () => void;
}
