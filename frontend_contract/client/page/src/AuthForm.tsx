/** Signs in with Supabase Auth: an e-mail address with a password, or with a code that is sent there. */
import type { AuthError as AuthRefusal } from "@supabase/supabase-js";
import { useState, type FormEvent, type ReactNode } from "react";
import { RequestError, type KeepsakeClient } from "../../src/react";
import { PageError } from "./PageError";
import type { PageStrings } from "./strings";

interface AuthResult {
  error: AuthRefusal | null;
}

export function AuthForm({ strings, client }: { strings: PageStrings; client: KeepsakeClient }): ReactNode {
  const [email, setEmail] = useState("");
  const [secret, setSecret] = useState("");
  const [isCodeSent, setIsCodeSent] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<AuthRefusal | null>(null);
  const attempt = async (action: Promise<AuthResult>): Promise<boolean> => {
    setIsBusy(true);
    const { error: refusal } = await action;
    setIsBusy(false);
    setError(refusal);
    return refusal === null;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { auth } = client;
    void attempt(
      isCodeSent
        ? auth.verifyOtp({ email, token: secret.trim(), type: "email" })
        : auth.signInWithPassword({ email, password: secret }),
    );
  };
  const sendCode = async () => {
    const options = { shouldCreateUser: true, emailRedirectTo: location.origin };
    if (!(await attempt(client.auth.signInWithOtp({ email, options })))) return;
    setSecret("");
    setIsCodeSent(true);
  };
  return (
    <form className="kp-token" onSubmit={submit}>
      <p role="status">{isCodeSent ? strings.codeSent(email) : strings.authHint}</p>
      <Field label={strings.email} type="email" autoComplete="username" value={email} onChange={setEmail} />
      {isCodeSent ? (
        <Field key="code" label={strings.code} inputMode="numeric" autoComplete="one-time-code" value={secret} onChange={setSecret} />
      ) : (
        <Field key="password" label={strings.password} type="password" autoComplete="current-password" value={secret} onChange={setSecret} />
      )}
      <div className="ks-row">
        <button type="submit" className="ks-button" data-primary disabled={isBusy || !email || !secret}>
          {strings.signIn}
        </button>
        <button type="button" className="ks-button" disabled={isBusy || !email} onClick={() => void sendCode()}>
          {strings.sendCode}
        </button>
      </div>
      {error && <Refusal error={error} strings={strings} />}
    </form>
  );
}

/** What Supabase Auth refuses most often has words of its own. */
function Refusal({ error, strings }: { error: AuthRefusal; strings: PageStrings }): ReactNode {
  const { message, code = "", status = 0 } = error;
  const refusal = strings.refusals[code];
  if (!refusal) return <PageError error={new RequestError(message, code, status)} strings={strings} />;
  return (
    <p className="kp-error" role="alert">
      {refusal}
    </p>
  );
}

interface FieldProps {
  label: string;
  value: string;
  autoComplete: string;
  type?: string;
  inputMode?: "numeric";
  onChange: (value: string) => void;
}

function Field({ label, onChange, ...input }: FieldProps): ReactNode {
  return (
    <label className="ks-select">
      <span>{label}</span>
      <input className="ks-field" {...input} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
