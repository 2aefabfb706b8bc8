/** Keepsake is killed in the middle of an answer: the answer does not notice. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText, wrapLanguageModel } from "ai";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { keepsakeMemory } from "../../src/ai-sdk";
import { createKeepsake } from "../../src/server";
import { scriptModel } from "../support/model";

/** A `keepsake up` of its own, which may be killed. */
async function startStack(): Promise<{ url: string; secretKey: string; kill: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-killed-"));
  const data = join(folder, "data");
  const python = process.env.KEEPSAKE_PYTHON ?? "python3";
  const child = spawn(python, ["-m", "keepsake.cli", "up", "--port", "0", "--data", data], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const kill = () => ended(child, () => child.kill("SIGKILL"));
  onTestFinished(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 200 }); // Postgres ends a moment later
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes("Stop with Ctrl-C")) break;
  const read = async (name: string) => JSON.parse(await readFile(join(data, name), "utf8")) as Record<string, string>;
  const [{ api_url: url = "" }, { secret_key: secretKey = "" }] = await Promise.all([
    read("running.json"),
    read("keys.json"),
  ]);
  return { url, secretKey, kill };
}

function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    end();
  });
}

it("loses no word of a streamed answer when Keepsake is killed meanwhile", async () => {
  const { url, secretKey, kill } = await startStack();
  const words = Array.from({ length: 200 }, (_, index) => `word${index} `);
  const scripted = await scriptModel(async function* () {
    yield* words.slice(0, 50);
    await kill();
    await expect(fetch(url)).rejects.toThrow();
    yield* words.slice(50);
  });
  const stages: string[] = [];
  const memory = keepsakeMemory({
    keepsake: createKeepsake({ url, secretKey }),
    conversationId: "5f0f9a2e-6d0c-4a0f-9c55-0f6f3c2f7a10",
    messageId: "b7a0a3d2-58f0-4c1e-8c6a-2d6c3f6f1e21",
    onError: (_, stage) => stages.push(stage),
  });
  const provider = createOpenAICompatible({ name: "scripted", baseURL: scripted.url });
  const model = wrapLanguageModel({ model: provider("scripted"), middleware: memory });

  const pieces: string[] = [];
  for await (const piece of streamText({ model, prompt: "Count." }).textStream) pieces.push(piece);
  expect(pieces.join("")).toBe(words.join(""));
  await memory.settled();
  expect(stages).toEqual(expect.arrayContaining(["chat_send", "save_answer"]));
});
