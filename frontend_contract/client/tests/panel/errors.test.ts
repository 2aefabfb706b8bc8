/** What a person reads where something fails. */
import { describe, expect, it } from "vitest";
import { explainError } from "../../src/panel/errors";
import { de } from "../../src/panel/strings/de";
import { en } from "../../src/panel/strings/en";
import { RequestError } from "../../src/react";

const refusal = (status: number, code = "x", retryAfter: number | null = null) =>
  new RequestError("TypeError: Failed to fetch", code, status, null, retryAfter);

const CASES: [error: unknown, english: string, german: string][] = [
  [refusal(0), "cannot be reached. Check your connection, and try again in a moment.", "nicht erreichbar"],
  [refusal(401, "PGRST303"), "sign-in has expired", "Anmeldung ist abgelaufen"],
  [refusal(429, "rate_limited", 30), "Try again in 30 seconds.", "Versuche es in 30 Sekunden noch einmal."],
  [refusal(503, "retry_later", 1), "not available at the moment. Try again in 1 second.", "in 1 Sekunde noch"],
  [refusal(500, "57014"), "took too long", "zu lange gedauert"],
  [refusal(500, "internal_error"), "on our side", "Bei uns"],
  [refusal(404, "PT404"), "not there any more", "nicht mehr"],
  [refusal(409, "PT409"), "changed in the meantime", "Inzwischen"],
  [refusal(400, "23514"), "not accepted", "nicht angenommen"],
  [new TypeError("x is not a function"), "on our side", "Bei uns"],
];

describe.each(CASES)("%s", (error, english, german) => {
  it("is explained in the person's language, without the words of a program", () => {
    expect(explainError(error, en.errors)).toContain(english);
    expect(explainError(error, de.errors)).toContain(german);
    for (const { errors } of [en, de]) expect(explainError(error, errors)).not.toMatch(/TypeError|fetch|[{}]/);
  });
});
