/** C#: sequences and their methods that are given functions: `Select`, `GroupBy`, `ToDictionary` and others. */
import { type Expression, type Given, TAG } from "../../expression.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import type { Functions } from "../evaluating/functions.ts";
import { OUTSIDE, type Value } from "../evaluating/values.ts";
import { withTaken } from "./lambdas.ts";
import {
  csharpElement,
  dictionaryValue,
  groupsValue,
  isDictionary,
  isTask,
  type LibraryValue,
  listValue,
  taskValue,
} from "./library.ts";

type Values = readonly (Value | undefined)[];
type Typed = Extract<Value, { kind: "instance" | "definition" }>;

interface SequencesInput extends EvaluationInput {
  functions: Functions;
  bases(path: string, slot: number): readonly (Value | undefined)[];
}

/** Bases of bases that are looked through. */
const MAX_BASES = 8;
/** Pass an element to each parameter of a function. */
const COMPARING = /^(?:Sort|Aggregate)$/;

export class Sequences {
  readonly #in: SequencesInput;

  constructor(input: SequencesInput) {
    this.#in = input;
  }

  /** A value of the library; for a type of the project, the one that it extends or implements. */
  of(value: Value | undefined): LibraryValue | undefined {
    if (value?.kind === "library") return value;
    return value?.kind === "instance" ? this.#implemented(value, new Set()) : undefined;
  }

  #implemented(value: Typed, seen: Set<string>): LibraryValue | undefined {
    const key = `${value.slot}:${value.path}`;
    if (seen.has(key) || seen.size >= MAX_BASES) return undefined;
    seen.add(key);
    const stated = this.#in.files.get(value.path)?.surface.bases.filter(({ slot }) => slot === value.slot) ?? [];
    for (const { target, of = [] } of stated) {
      const type: Expression = [TAG.ofType, target, of];
      const base = this.#in.withArguments(value.of ?? [], () => this.#in.evaluatedValue(value.path, type));
      const found =
        base?.kind === "library" ? base : base?.kind === "instance" ? this.#implemented(base, seen) : undefined;
      if (found && (csharpElement(found) || isTask(found))) return found;
    }
    return undefined;
  }

  /** The result of a method that depends on what it is given. */
  result(path: string, sequence: LibraryValue, method: string, given: Given | undefined): Value | undefined {
    const [types, values] = given ?? [[], []];
    const element = csharpElement(sequence);
    const made = (at: number, taken: Values = [element]): Value | undefined => this.made(path, values[at], taken);
    const isFunction = (at: number): boolean => values[at]?.[0] === TAG.functionType;
    switch (method) {
      case "Select":
      case "ConvertAll":
        return listValue(made(0));
      case "SelectMany": {
        const inner = csharpElement(this.of(made(0)));
        return listValue(isFunction(1) ? made(1, [element, inner]) : inner);
      }
      case "OfType":
      case "Cast":
        return types[0] ? listValue(this.#in.evaluatedValue(path, types[0])) : undefined;
      case "GroupBy":
      case "ToLookup":
        return groupsValue(made(0), isFunction(1) ? made(1) : element, method === "ToLookup");
      case "ToDictionary":
      case "ToFrozenDictionary":
      case "ToImmutableDictionary":
        return isFunction(0) ? dictionaryValue(made(0), isFunction(1) ? made(1) : element) : undefined;
      case "Zip": {
        const other = csharpElement(this.of(values[0] ? this.#in.evaluatedValue(path, values[0]) : undefined));
        return listValue(isFunction(1) ? made(1, [element, other]) : pair(element, other));
      }
      case "Chunk":
        return listValue(listValue(element));
      case "Index":
        return listValue(pair(OUTSIDE, element));
      case "Aggregate":
        if (values.length < 2) return element;
        return values[0] ? this.#in.evaluatedValue(path, values[0]) : undefined;
      case "Max":
      case "Min":
        return values.length === 0 && types.length === 0 ? element : made(0);
      case "ContinueWith":
        return isTask(sequence) ? taskValue(made(0, [sequence])) : undefined;
      default:
        return undefined;
    }
  }

  /** The value that a method passes to a function that it is given. */
  passed(
    path: string,
    sequence: LibraryValue,
    method: string,
    argument: number,
    parameter: number,
    given: Given | undefined,
  ): Value | undefined {
    if (isTask(sequence)) return method === "ContinueWith" && parameter === 0 ? sequence : undefined;
    const element = csharpElement(sequence);
    const first = given?.[1][0];
    const evaluated = (): Value | undefined => (first ? this.#in.evaluatedValue(path, first) : undefined);
    if (isDictionary(sequence) && /^(?:GetOrAdd|AddOrUpdate)$/.test(method)) return sequence.of[parameter];
    if (method === "Aggregate" && argument > 0 && parameter === 0) return argument === 1 ? evaluated() : undefined;
    if (method === "Zip" && parameter === 1) return csharpElement(this.of(evaluated()));
    if (/^(?:Join|GroupJoin)$/.test(method)) return argument === 2 || parameter > 0 ? undefined : element;
    if (method === "GroupBy" && argument > 1) return parameter === 0 ? undefined : listValue(element);
    return parameter === 0 || COMPARING.test(method) ? element : undefined;
  }

  /** The result of a function that is given these values. */
  made(path: string, given: Expression | null | undefined, taken: Values): Value | undefined {
    const value = given ? this.#in.evaluatedValue(path, given) : undefined;
    const fn = this.#in.functions.of(value) ?? this.#in.functions.untyped(value);
    return fn && this.#in.functions.result({ ...fn, of: withTaken(fn.type[1], fn.of, taken) });
  }
}

function pair(first: Value | undefined, second: Value | undefined): Value {
  return { kind: "library", name: "KeyValuePair", of: [first, second] };
}
