/** Signs a person in, and shows their chat. */
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { fetchSetup, signIn, type Person, type Setup } from "./backend";
import { usePreference, type Theme } from "./preferences";
import { Session } from "./Session";
import { SignIn } from "./SignIn";
import { de, en } from "./strings";

export function App(): ReactNode {
  const [setup, setSetup] = useState<Setup | null>(null);
  const [person, setPerson] = useState<Person | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [email, setEmail] = usePreference<string>("person", "");
  const [theme, setTheme] = usePreference<Theme>("theme", "auto");
  const [locale, setLocale] = usePreference<string>("locale", navigator.language.startsWith("de") ? "de" : "en");
  const strings = locale === "de" ? de : en;
  useEffect(() => {
    document.documentElement.lang = locale;
    document.documentElement.dataset["theme"] = theme;
  }, [locale, theme]);
  const enter = useMemo(
    () => async (address: string) => {
      try {
        setPerson(await signIn(address));
        setEmail(address);
        setError(null);
      } catch (failure) {
        setError((failure as Error).message);
      }
    },
    [setEmail],
  );
  useEffect(() => {
    fetchSetup().then(
      (found) => {
        setSetup(found);
        if (email && found.people.some((each) => each.email === email)) void enter(email);
      },
      (failure: Error) => setError(failure.message),
    );
    // Only once: who was signed in last signs in again.
  }, []);
  if (!setup || !person) {
    return (
      <SignIn
        strings={strings}
        theme={theme}
        people={setup?.people ?? null}
        error={error}
        onPick={(address) => void enter(address)}
        onToken={(token) => setPerson(personOfToken(token))}
      />
    );
  }
  return (
    <Session
      key={person.user_id}
      setup={setup}
      person={person}
      strings={strings}
      preferences={{ theme, setTheme, locale, setLocale }}
      onLeave={() => {
        setEmail("");
        setPerson(null);
      }}
    />
  );
}

/** The person that a token names; whether it is valid, the stack decides. */
function personOfToken(token: string): Person {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const { sub, email = "" } = JSON.parse(atob(payload)) as { sub: string; email?: string };
  return { access_token: token, user_id: sub, email, name: email.split("@")[0] ?? email };
}
