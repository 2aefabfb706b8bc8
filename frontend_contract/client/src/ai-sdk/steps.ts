/** The steps of a turn: each is a call of the model, and together their texts are the answer. */
import type { EarlierSteps } from "./prompt.js";

/** What is known of a step: after one that `waits`, which called a tool, another step may follow or not. */
export type StepState = "runs" | "ended" | "waits" | "failed";

export class Step {
  text = "";
  state: StepState = "runs";
  readonly toolCallIds: string[] = [];

  /** `before` is what the prompt of this call had of the answer. */
  constructor(readonly before: EarlierSteps | null) {}

  add(text: string): void {
    this.text += text;
  }

  /** Note a call of a tool that the application executes; what a provider executes itself ends no step. */
  noteToolCall(call: { toolCallId: string; providerExecuted?: boolean | undefined }): void {
    if (!call.providerExecuted) this.toolCallIds.push(call.toolCallId);
  }
}

export class Steps {
  private readonly steps: Step[] = [];

  /** `earlier` is the text of steps that another request has made, as before a tool that ran in the browser. */
  constructor(private readonly earlier: string) {}

  /** Begin the step that this prompt asks for; a call that failed and is repeated begins anew. */
  begin(before: EarlierSteps | null): Step {
    if (this.repeats(before)) this.steps.pop();
    const step = new Step(before);
    this.steps.push(step);
    return step;
  }

  /** The visible text of the turn, that of other requests included. */
  get text(): string {
    return this.earlier + this.said;
  }

  /** What the steps of this request have said. */
  get said(): string {
    return this.steps.map((step) => step.text).join("");
  }

  /** Whether another call may still come: after a tool call, or after a failure that may pass. */
  get mayGoOn(): boolean {
    return this.last?.state !== "ended";
  }

  /** Whether a call with this prompt is the last one again, which has failed. */
  repeats(before: EarlierSteps | null): boolean {
    return this.last?.state === "failed" && isSame(this.last.before, before);
  }

  get isRunning(): boolean {
    return this.last?.state === "runs";
  }

  /** Whether a call with this prompt goes on where the last step stopped: with the same tool calls, or the same words. */
  isFollowedBy(before: EarlierSteps): boolean {
    if (!this.last || this.isRunning) return false;
    const called = this.last.toolCallIds;
    return called.length > 0 ? called.every((id) => before.toolCallIds.includes(id)) : before.text === this.text;
  }

  private get last(): Step | undefined {
    return this.steps.at(-1);
  }
}

function isSame(one: EarlierSteps | null, other: EarlierSteps | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
