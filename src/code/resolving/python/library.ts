import { type Expression, TAG } from "../../expression.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import { libraryValue, type Value } from "../evaluating/values.ts";
import type { DefinitionRef } from "../project/project_files.ts";

/** Types of Python's library that hold other values, by a type that holds them in the same way. */
const SAME_AS: Readonly<Record<string, string>> = {
  AsyncIterator: "Iterator",
  MutableSequence: "list",
  AbstractSet: "set",
  MutableSet: "set",
  FrozenSet: "set",
  Deque: "deque",
  Reversible: "list",
  KeysView: "list",
  ValuesView: "list",
  Queue: "deque",
  LifoQueue: "deque",
  PriorityQueue: "deque",
  SimpleQueue: "deque",
  DefaultDict: "dict",
  MutableMapping: "dict",
  WeakValueDictionary: "dict",
  Task: "Awaitable",
  Future: "Awaitable",
  // Entering one gives its content, as the first step of a generator does.
  AbstractContextManager: "Iterator",
  AbstractAsyncContextManager: "Iterator",
  ContextManager: "Iterator",
  AsyncContextManager: "Iterator",
  NotRequired: "Optional",
  ReadOnly: "Optional",
};

export function sameAs(name: string): string {
  return Object.hasOwn(SAME_AS, name) ? (SAME_AS[name] ?? name) : name;
}

/** Lists and dictionaries that a class extends: `class Rows(list[Row])`. */
export class LibraryBases {
  readonly #in: EvaluationInput;

  constructor(input: EvaluationInput) {
    this.#in = input;
  }

  /** The class as a value of the library's type that it extends; undefined if it extends none. */
  of({ path, slot }: DefinitionRef): Value | undefined {
    const index = this.#in.files.get(path);
    if (index?.family !== "python") return undefined;
    for (const { slot: owner, target, of } of index.surface.bases) {
      const name = owner === slot && of ? nameOf(target) : undefined;
      if (name === undefined) continue;
      const parts = of?.map((each) => (each ? this.#in.evaluatedValue(path, each) : undefined)) ?? [];
      const value = libraryValue(sameAs(name), parts);
      if (value) return value;
    }
    return undefined;
  }

  /** The fields of a `NamedTuple` in their order: the parts that it is taken apart into. */
  parts({ path, slot }: DefinitionRef): readonly string[] {
    const index = this.#in.files.get(path);
    const isTuple = index?.surface.bases.some(({ slot: owner, target }) => {
      const name = target[0] === TAG.import ? index.surface.imports[target[1]]?.name : nameOf(target);
      return owner === slot && name === "NamedTuple";
    });
    return isTuple ? [...(index?.properties.get(slot)?.keys() ?? [])] : [];
  }
}

function nameOf(target: Expression): string | undefined {
  return target[0] === TAG.freeName ? target[1] : target[0] === TAG.member ? target[2] : undefined;
}
