/** Ruby: objects on which the blocks of other objects are run (`instance_eval`). */
import { BLOCK_SELF, type Expression, TAG } from "../../expression.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import { OUTSIDE, type Value } from "../evaluating/values.ts";

type Definition = Extract<Value, { kind: "definition" }>;

interface RunnersInput extends EvaluationInput {
  taking(value: Definition): readonly Definition[];
}

export class Runners {
  readonly #in: RunnersInput;

  constructor(input: RunnersInput) {
    this.#in = input;
  }

  /** Ruby: whether a call without a receiver is in a block that another object runs, one that does not have the method. */
  isRunByOther(path: string, callee: Expression): boolean {
    if (this.#in.files.get(path)?.family !== "ruby" || callee[0] !== TAG.either || callee[1][0] !== TAG.member)
      return false;
    const ofRunner = this.#in.evaluate(path, callee[1]);
    return (!ofRunner || ofRunner.kind === "outside") && this.#changesSelf(path, callee[1][1]);
  }

  /** Whether the text shows that this value, which may run a block, is not the `self` around the block. */
  #changesSelf(path: string, self: Expression): boolean {
    if (self[0] === TAG.either) return this.#changesSelf(path, self[1]) || this.#changesSelf(path, self[2]);
    if (self[0] !== TAG.callbackParameter || self[2] !== BLOCK_SELF) return true;
    const [, callee, , form] = self;
    const value = this.#in.evaluate(path, callee);
    if (value?.kind !== "definition") return false;
    return this.#in.taking(value).some((taking) => {
      const runner = this.#in.files.get(taking.path)?.surface.entities[taking.slot]?.takes?.[BLOCK_SELF]?.[form];
      const key = `j${form}:${taking.slot}:${taking.path}`;
      const shown = () => (runner && this.#changesSelf(taking.path, runner) ? OUTSIDE : undefined);
      return this.#in.withoutCycles(key, shown) !== undefined;
    });
  }
}
