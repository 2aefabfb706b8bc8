/** The running `keepsake up` that these tests talk to; `make test` starts it and names it in the environment. */
/** The value of a variable that `make test` sets. */
function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with \`pytest tests/client\``);
  return value;
}

export const stack = {
  url: given("KEEPSAKE_URL"),
  publishableKey: given("KEEPSAKE_PUBLISHABLE_KEY"),
  secretKey: given("KEEPSAKE_SECRET_KEY"),
};

export interface Person {
  userId: string;
  token: string;
}

/** Headers of a request whose connection no other uses: a server closes an idle one when it likes, perhaps under a request. */
export const ALONE = { connection: "close" };

/** A person who is signed in, created where the address is new. */
export async function signIn(email: string): Promise<Person> {
  const answer = await fetch(given("KEEPSAKE_SIGN_IN_URL"), { method: "POST", body: email, headers: ALONE });
  const token = await answer.text();
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub: string };
  return { userId: claims.sub, token };
}

/** Insert a row as the host's backend does, with the secret key, and return it. */
export async function insert<Row = Record<string, unknown>>(table: string, row: Record<string, unknown>): Promise<Row> {
  const answer = await fetch(`${stack.url}/rest/v1/${table}`, {
    method: "POST",
    headers: { ...ALONE, apikey: stack.secretKey, "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify(row),
  });
  if (!answer.ok) throw new Error(`${table}: ${await answer.text()}`);
  return ((await answer.json()) as Row[])[0] as Row;
}
