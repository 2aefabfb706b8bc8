/** Signs a person in, and shows their chat. */
import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { createAuthClient, personOfSession, personOfToken, signInDemoPerson, type Person } from "./account";
import { fetchSetup, type Setup } from "./backend";
import { usePreference, type Theme } from "./preferences";
import { Session } from "./Session";
import { SignIn } from "./SignIn";
import { de, en } from "./strings";

/** Until the stack is asked again, where it did not answer. */
const RETRY_MILLISECONDS = 2000;

export function App(): ReactNode {
  const [setup, setSetup] = useState<Setup | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [theme, setTheme] = usePreference<Theme>("theme", "auto");
  const [locale, setLocale] = usePreference<string>("locale", navigator.language.startsWith("de") ? "de" : "en");
  const strings = locale === "de" ? de : en;
  useEffect(() => {
    document.documentElement.lang = locale;
    document.documentElement.dataset["theme"] = theme;
  }, [locale, theme]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const fail = (failure: unknown) => {
      setError(failure);
      timer = setTimeout(load, RETRY_MILLISECONDS);
    };
    const enter = (found: Setup) => {
      setSetup(found);
      setError(null);
    };
    const load = () => void fetchSetup().then(enter, fail);
    load();
    return () => clearTimeout(timer);
  }, []);
  const { person, authClient, enter, leave } = useAccount(setup, setError);
  if (!setup || !person) {
    return (
      <SignIn
        strings={strings}
        theme={theme}
        people={setup?.people ?? null}
        authClient={authClient}
        error={error}
        onPick={(address) => setup && enter(signInDemoPerson(setup, address))}
        onToken={(token) => setup && enter(Promise.resolve(personOfToken(setup, token)))}
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
      onLeave={leave}
    />
  );
}

/** Who is signed in: by Supabase Auth where the stack has it; else the demo person of the last visit. */
function useAccount(setup: Setup | null, setError: (error: unknown) => void) {
  const [person, setPerson] = useState<Person | null>(null);
  const [email, setEmail] = usePreference<string>("person", "");
  const authClient = useMemo(() => (setup?.has_auth ? createAuthClient(setup) : null), [setup]);
  const enter = useCallback(
    (signingIn: Promise<Person>) =>
      void signingIn.then(
        (entered) => {
          setPerson((before) => (before?.user_id === entered.user_id ? before : entered));
          setEmail(entered.email);
          setError(null);
        },
        setError,
      ),
    [setEmail, setError],
  );
  useEffect(() => {
    if (setup && setup.people.some((each) => each.email === email)) enter(signInDemoPerson(setup, email));
    // Only once: who was signed in last signs in again.
  }, [setup]);
  useEffect(() => {
    if (!authClient) return;
    const { data } = authClient.auth.onAuthStateChange((event, session) => {
      if (!session) setPerson(null);
      // Later, because the client answers nothing while it tells of the change.
      else if (event === "INITIAL_SESSION" || event === "SIGNED_IN") setTimeout(() => enter(personOfSession(authClient, session)));
    });
    return () => data.subscription.unsubscribe();
  }, [authClient, enter]);
  const leave = useCallback(() => {
    setEmail("");
    setPerson(null);
    void authClient?.auth.signOut({ scope: "local" });
  }, [authClient, setEmail]);
  return { person, authClient, enter, leave };
}
