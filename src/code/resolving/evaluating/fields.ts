/** Members that are not called: in Rust, PHP and Java they are fields, even if a method has the same name. */
import { type Expression, TAG } from "../../expression.ts";
import { visits } from "../visited_types.ts";
import type { EvaluationInput } from "./evaluation_input.ts";
import type { Members } from "./members.ts";
import type { Value } from "./values.ts";

interface FieldsInput extends EvaluationInput {
  members: Members;
  /** The value of a constant or getter; anything else is returned unchanged. */
  valueOf(value: Value | undefined): Value | undefined;
  member(path: string, of: Value | undefined, name: string, types: boolean): Value | undefined;
  bases(path: string, slot: number): readonly (Value | undefined)[];
  /** The result of a method of a value. */
  resultOf(path: string, of: Value, method: string): Value | undefined;
}

type Instance = Extract<Value, { kind: "instance" }>;

const FAMILIES = /^(rust|php|jvm)$/;

export class Fields {
  readonly #in: FieldsInput;

  constructor(input: FieldsInput) {
    this.#in = input;
  }

  /** Kotlin: `val (a, b) = point` takes the properties of its constructor, in their order. */
  component(whole: Value | undefined, at: number): Value | undefined {
    const index = whole?.kind === "instance" ? this.#in.files.get(whole.path) : undefined;
    if (whole?.kind !== "instance" || index?.surface.language !== "kotlin") return undefined;
    const name = [...(index.properties.get(whole.slot)?.keys() ?? [])][at];
    return name === undefined ? undefined : this.#in.members.field(whole, name);
  }

  /** The value of an expression that is not called. */
  uncalled(path: string, expression: Expression, types: boolean): Value | undefined {
    const [tag, of, name] = expression;
    const isMember = tag === TAG.member || tag === TAG.memberOrFree;
    const family = isMember ? this.#in.files.get(path)?.family : undefined;
    if (!isMember || !FAMILIES.test(family ?? "") || (tag === TAG.memberOrFree && family !== "jvm"))
      return this.#in.evaluate(path, expression, types);
    if (tag === TAG.memberOrFree) return this.#around(path, of, name) ?? this.#in.evaluate(path, expression, types);
    const receiver = this.#in.valueOf(this.uncalled(path, of, types));
    const field =
      receiver?.kind !== "instance"
        ? undefined
        : family === "jvm"
          ? this.#inherited(receiver, name)
          : this.#in.members.field(receiver, name);
    const found = field ?? this.#in.member(path, receiver, name, types);
    const isUndeclared = family === "php" && (!found || found.kind === "outside");
    return isUndeclared && receiver?.kind === "instance" ? (this.#read(path, receiver) ?? found) : found;
  }

  /** PHP: a method of the class reads the fields that it does not declare; a guess, as it may give several types. */
  #read(path: string, of: Instance): Value | undefined {
    const result = this.#in.resultOf(path, of, "__get");
    return result?.kind === "instance" ? { ...result, unsure: true } : undefined;
  }

  /** Java: a field of the type or of one of its bases. */
  #inherited(value: Instance, name: string, seen = new Set<string>()): Value | undefined {
    if (!visits(seen, value)) return undefined;
    if (this.#in.files.get(value.path)?.properties.get(value.slot)?.has(name))
      return this.#in.members.field(value, name);
    for (const base of this.#in.bases(value.path, value.slot)) {
      const found =
        base?.kind === "definition" ? this.#inherited({ ...base, kind: "instance", of: [] }, name, seen) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** Java: a field of the class, or of one of the classes around it. */
  #around(path: string, slot: number, name: string): Value | undefined {
    const entities = this.#in.files.get(path)?.surface.entities;
    for (let at = slot; at >= 0; at = entities?.[at]?.parent ?? -1) {
      const found = this.#inherited({ kind: "instance", path, slot: at, of: [] }, name);
      if (found) return found;
    }
    return undefined;
  }
}
