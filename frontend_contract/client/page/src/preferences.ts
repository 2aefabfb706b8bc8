/** What the browser keeps for the page: appearance, language, and who was signed in last. */
import { useCallback, useState } from "react";

export type Theme = "auto" | "light" | "dark";

export function usePreference<T extends string>(name: string, initial: T): [T, (value: T) => void] {
  const key = `keepsake-${name}`;
  const [value, setValue] = useState<T>(() => (localStorage.getItem(key) as T | null) ?? initial);
  const change = useCallback(
    (next: T) => {
      localStorage.setItem(key, next);
      setValue(next);
    },
    [key],
  );
  return [value, change];
}
