/** Random turns of one to three steps, stopped at every point: what the person saw is never lost, doubled or unlinked. */
import { stepCountIs, streamText, tool, type ModelMessage } from "ai";
import { expect, it } from "vitest";
import { z } from "zod";
import { messagesOf, startConversation, type SavedMessage, type Talk } from "../support/conversation";
import type { Piece } from "../support/model";
import { remembering } from "../support/remembering";

/** `KEEPSAKE_STOPPED_TURNS=1000` runs many more. */
const TURNS = Number(process.env.KEEPSAKE_STOPPED_TURNS ?? 40);
const AT_ONCE = 4;
const WAYS = ["whole", "abort", "abort in a tool", "leave", "nobody reads", "step limit", "approval", "browser"] as const;

interface Plan {
  way: (typeof WAYS)[number];
  /** The words of each step, all different. */
  steps: string[][];
  /** After how many pieces, or in which step, it is stopped. */
  at: number;
  isRepeated: boolean;
}

function planOf(seed: number): Plan {
  let state = (seed + 1) * 2_654_435_761;
  const random = (below: number) => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state % below;
  };
  const steps = Array.from({ length: 1 + random(3) }, (_, step) =>
    Array.from({ length: random(4) }, (_, word) => `s${step}w${word} `),
  );
  const way = WAYS[seed % WAYS.length] ?? "whole";
  const isByStep = way === "abort in a tool" || way === "step limit" || way === "approval" || way === "browser";
  return { way, steps, at: random(isByStep ? steps.length : steps.flat().length + 1), isRepeated: random(4) === 0 };
}

const piecesOf = ({ steps }: Plan, step: number): Piece[] => [
  ...(steps[step] ?? []),
  ...(step < steps.length - 1 ? [{ tool: "menu", input: {} }] : []),
];

/** A turn of a person, and what the middleware reported of it: also later, where nobody waits for the answer. */
interface Turn {
  talk: Talk;
  plan: Plan;
  question: string;
  errors: string[];
}

/** Run one request of a turn as its plan says; the text that its reader has seen. */
async function request(
  { talk, plan, question, errors }: Turn,
  step: number,
  messages: ModelMessage[],
) {
  const abort = new AbortController();
  let asked = step;
  const onError = (error: unknown, stage: string) => errors.push(`${stage}: ${String(error)}`);
  const { model, memory } = await remembering(talk, () => piecesOf(plan, asked++), { uiMessageId: question, onError });
  const execute = () => {
    if (plan.way === "abort in a tool" && asked - 1 >= plan.at) abort.abort();
    return "soup";
  };
  const base = { description: "The menu", inputSchema: z.object({}), outputSchema: z.string() };
  const isOfTheBrowser = plan.way === "browser" && step === plan.at;
  const menu = isOfTheBrowser ? tool(base) : tool({ ...base, execute, needsApproval: plan.way === "approval" });
  const stopWhen = stepCountIs(plan.way === "step limit" ? plan.at + 1 : 9);
  const result = streamText({ model, messages, tools: { menu }, stopWhen, abortSignal: abort.signal, onError: () => {} });
  let seen = "";
  if (plan.way !== "nobody reads") {
    let count = 0;
    for await (const piece of result.textStream) {
      seen += piece;
      count += 1;
      if (plan.way === "abort" && count > plan.at) abort.abort();
      if (plan.way === "leave" && count > plan.at) break;
    }
  }
  await memory.settled();
  const isRead = plan.way !== "leave" && plan.way !== "nobody reads";
  return { seen, response: isRead && !abort.signal.aborted ? await result.response : undefined };
}

/** Run a turn; what was seen of it. */
async function run(turn: Turn): Promise<string> {
  const { plan, question } = turn;
  const messages: ModelMessage[] = [{ role: "user", content: question }];
  const { seen, response } = await request(turn, 0, messages);
  if (plan.way !== "browser" || plan.at !== 0 || plan.steps.length === 1 || !response) return seen;
  const output = { type: "text", value: "soup" } as const;
  const result = { role: "tool", content: [{ type: "tool-result", toolCallId: "call-1", toolName: "menu", output }] } as const;
  const more = await request(turn, 1, [...messages, ...response.messages, { ...result, content: [...result.content] }]);
  return seen + more.seen;
}

/** What is wrong with the rows of a turn, in a word; undefined where nothing is. */
function faultOf(plan: Plan, saved: SavedMessage[], seen: string): string | undefined {
  const [questions, answers] = ["user", "assistant"].map((role) => saved.filter((message) => message.role === role));
  if (questions?.length !== 1) return `${questions?.length} questions`;
  if (answers && answers.length > 1) return "double";
  const content = answers?.[0]?.content ?? "";
  if (!content.startsWith(seen)) return `lost: ${seen} is not in ${content}`;
  if (!plan.steps.flat().join("").startsWith(content)) return `never said: ${content}`;
  return content && !answers?.[0]?.meta?.injection_id ? "unlinked" : undefined;
}

it(`loses, doubles and unlinks nothing in ${TURNS} turns that are stopped anywhere`, async () => {
  const faults: string[] = [];
  let [next, withAnswer] = [0, 0];
  const work = async () => {
    while (next < TURNS) {
      const seed = next++;
      const [plan, talk] = [planOf(seed), await startConversation("Ada")];
      const turn = { plan, talk, question: `Question ${seed}?`, errors: [] };
      if (plan.isRepeated) await run(turn);
      const seen = await run(turn);
      const saved = await messagesOf(talk);
      const found = faultOf(plan, saved, seen);
      if (found || turn.errors.length > 0) faults.push(`${JSON.stringify(plan)}: ${found}; ${turn.errors.join("; ")}`);
      if (saved.length === 2) withAnswer += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(faults).toEqual([]);
  expect(withAnswer).toBeGreaterThan(TURNS / 2);
}, 600_000);
