import { useState, type FormEvent } from "react";
import { supabase } from "../lib/supabase";

export function SignIn() {
  const [problem, setProblem] = useState("");
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [email, password] = [String(form.get("email")), String(form.get("password"))];
    const { error } = await supabase.auth.signInWithPassword({ email, password });
    setProblem(error?.message ?? "");
  };
  return (
    <form onSubmit={(event) => void signIn(event)}>
      <input name="email" type="email" placeholder="Email" required />
      <input name="password" type="password" placeholder="Password" required />
      <button>Sign in</button>
      <p role="alert">{problem}</p>
    </form>
  );
}
