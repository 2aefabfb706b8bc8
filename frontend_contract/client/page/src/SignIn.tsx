/** The first screen: pick a demo person, sign in with Supabase Auth, or paste a token where there is neither. */
import { useState, type FormEvent, type ReactNode } from "react";
import type { KeepsakeClient } from "../../src/react";
import { AuthForm } from "./AuthForm";
import type { Setup } from "./backend";
import { PageError } from "./PageError";
import type { Theme } from "./preferences";
import type { PageStrings } from "./strings";

export interface SignInProps {
  strings: PageStrings;
  theme: Theme;
  people: Setup["people"] | null;
  authClient: KeepsakeClient | null;
  error: unknown;
  onPick: (email: string) => void;
  onToken: (token: string) => void;
}

export function SignIn({ strings, theme, people, authClient, error, onPick, onToken }: SignInProps): ReactNode {
  return (
    <main className="ks-root kp-welcome" data-theme={theme}>
      <h1 className="kp-brand">
        <Logo /> Keepsake
      </h1>
      <p className="kp-tagline">{strings.tagline}</p>
      {people && people.length > 0 && (
        <section aria-labelledby="who">
          <h2 id="who">{strings.who}</h2>
          <ul className="kp-people">
            {people.map(({ email, name, has_year }) => (
              <li key={email}>
                <button type="button" className="kp-person" onClick={() => onPick(email)}>
                  <Avatar name={name} />
                  <span>
                    <strong>{name}</strong>
                    <span className="ks-faint">{has_year ? strings.hasYear : email}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <p className="ks-faint">{strings.pick}</p>
        </section>
      )}
      {authClient && <AuthForm strings={strings} client={authClient} />}
      {people && !authClient && <TokenForm strings={strings} isFolded={people.length > 0} onToken={onToken} />}
      {error !== null && <PageError error={error} strings={strings} />}
    </main>
  );
}

interface TokenFormProps {
  strings: PageStrings;
  /** Whether it is opened by those who want it, below the demo people. */
  isFolded: boolean;
  onToken: (token: string) => void;
}

function TokenForm({ strings, isFolded, onToken }: TokenFormProps): ReactNode {
  const [token, setToken] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      onToken(token.trim());
    } catch {
      setIsWrong(true);
    }
  };
  const form = (
    <form className="kp-token" onSubmit={submit}>
      <p>{isFolded ? strings.pasteToken : strings.noPeople}</p>
      <label className="ks-select">
        <span>{strings.token}</span>
        <textarea className="ks-field" rows={4} value={token} aria-invalid={isWrong} onChange={(event) => setToken(event.target.value)} />
      </label>
      <button type="submit" className="ks-button" data-primary disabled={!token.trim()}>
        {strings.signIn}
      </button>
      {isWrong && (
        <p className="kp-error" role="alert">
          {strings.wrongToken}
        </p>
      )}
    </form>
  );
  if (!isFolded) return form;
  return (
    <details className="kp-other">
      <summary>{strings.somebodyElse}</summary>
      {form}
    </details>
  );
}

export function Avatar({ name }: { name: string }): ReactNode {
  return (
    <span className="kp-avatar" aria-hidden>
      {name.slice(0, 1).toUpperCase()}
    </span>
  );
}

export function Logo(): ReactNode {
  return (
    <svg className="kp-logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden>
      <rect width="32" height="32" rx="8" />
      <path d="M16 25s-8.5-5.2-8.5-11.4A5 5 0 0 1 16 10.600a5 5 0 0 1 8.500 3C24.500 19.800 16 25 16 25Z" />
    </svg>
  );
}
