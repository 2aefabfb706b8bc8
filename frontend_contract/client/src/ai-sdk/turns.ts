/** The turns of one middleware: which of them a prompt belongs to, and whether it belongs here at all. */
import type { Said } from "./prompt.js";
import type { Step } from "./steps.js";
import { Turn } from "./turn.js";
import type { KeepsakeMemoryOptions } from "./types.js";

const KEPT_TURNS = 16;

export interface Call {
  turn: Turn;
  step: Step;
}

export class Turns {
  private turns: Turn[] = [];

  constructor(private readonly options: KeepsakeMemoryOptions) {}

  /**
   * Begin the call that a prompt asks for: the next step of a turn, the same step again, or the first one of a new turn.
   *
   * Throws where the prompt cannot be of the conversation that this middleware was created for.
   */
  begin(said: Said): Call {
    const turn = this.find(said) ?? this.open(said);
    return { turn, step: turn.begin(said.earlierSteps) };
  }

  /** Nothing more will come: what waits for another step is told now. */
  close(): void {
    for (const turn of this.turns) turn.close();
  }

  private find(said: Said): Turn | undefined {
    const same = this.turns.filter((turn) => isEqual(turn.said.messages, said.messages));
    const { earlierSteps } = said;
    const repeated = same.find((turn) => turn.steps.repeats(earlierSteps));
    if (repeated || !earlierSteps) return repeated;
    const following = same.filter((turn) => turn.steps.isFollowedBy(earlierSteps));
    // Two turns with the same words may have called tools by the same ids; and a host may prune what a prompt repeats.
    const exact = following.find((turn) => turn.steps.text === earlierSteps.text) ?? following[0];
    return exact ?? same.findLast((turn) => !turn.steps.isRunning);
  }

  private open(said: Said): Turn {
    this.check(said);
    const turn = new Turn(this.options, said);
    this.turns = [...this.turns.slice(1 - KEPT_TURNS), turn];
    return turn;
  }

  /** A new turn either says the same again, or comes after the last one in the same conversation. */
  private check({ messages }: Said): void {
    const last = this.turns.at(-1)?.said.messages;
    if (!last || isEqual(last, messages)) return;
    if (follows(last, messages) && !this.options.messageId) return;
    throw new Error(
      "keepsakeMemory: this middleware already serves another message, so the memories would be another person's. " +
        "Create one for each request, where you know the conversation and the person: " +
        "wrapLanguageModel({ model, middleware: keepsakeMemory({ keepsake, conversationId, userId }) }).",
    );
  }
}

/** Whether the later messages contain the last of the earlier ones, with the same ones before it as far as both go. */
function follows(earlier: readonly string[], later: readonly string[]): boolean {
  return later.slice(0, -1).some((_, index) => {
    const shared = Math.min(earlier.length, index + 1);
    return isEqual(earlier.slice(-shared), later.slice(index + 1 - shared, index + 1));
  });
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
