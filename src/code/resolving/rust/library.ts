/** Rust: project values inside library types: iterators, wrappers, derived traits, and generic results. */
import { type Expression, nameIn } from "../../expression.ts";
import type { SurfaceEntity } from "../../facts.ts";
import type { Family } from "../../languages/language.ts";
import type { Members } from "../evaluating/members.ts";
import { elementOf, type Value } from "../evaluating/values.ts";
import type { Surfaces } from "../project/surface_index.ts";
import { passesElement, UNWRAPS } from "./library_methods.ts";

type Definition = Extract<Value, { kind: "definition" }>;
type Instance = Extract<Value, { kind: "instance" }>;

/** Functions of the library's traits that make a value of the type they are called on. */
const MAKES = /^(default|from|from_iter|from_str|try_from)$/;

/** Functions whose result says something about their type argument. */
const ABOUT_TYPE = /^(size_of|align_of|type_id|type_name|needs_drop|is|of)(_val)?$/;

export interface RustLibraryInput {
  files: Surfaces;
  members: Members;
  /** The result of calling a definition. */
  result(value: Definition): Value | undefined;
  evaluatedValue(path: string, expression: Expression): Value | undefined;
}

export class RustLibrary {
  readonly #in: RustLibraryInput;

  constructor(input: RustLibraryInput) {
    this.#in = input;
  }

  /** Rust: the elements of an iterator are the results of its `next`. */
  iterated(path: string, value: Value | undefined): Value | undefined {
    if (value?.kind !== "instance" || this.#family(path) !== "rust") return undefined;
    const next = this.#in.members.ownOrInherited(value.path, value.slot, "next", new Set());
    return next?.kind === "definition" ? this.#in.result(next) : this.#itemOf(value);
  }

  /** The elements that a type states where it says how it becomes an iterator. */
  #itemOf({ path, slot }: Instance): Value | undefined {
    const index = this.#in.files.get(path);
    const members = index?.members.get(slot);
    const item = members?.has("into_iter") ? members.get("Item") : undefined;
    const type = item === undefined ? undefined : index?.surface.entities[item]?.value;
    const found = type && this.#in.evaluatedValue(path, type);
    return found?.kind === "instance" || found?.kind === "library" ? found : undefined;
  }

  /** Whether a method of a wrapper gives the value inside, which the wrapper counts as. */
  isUnwrapped(path: string, { path: at, slot }: Instance, method: string): boolean {
    if (this.#family(path) !== "rust" || !UNWRAPS.has(method)) return false;
    const own = this.#in.members.ownOrInherited(at, slot, method, new Set());
    return !own || own.kind === "outside";
  }

  /** Rust: an iterator passes its elements to a closure, and a wrapper (`Option`) its content. */
  passed(path: string, receiver: Value | undefined, method: string, parameter: number): Value | undefined {
    if (!passesElement(method, parameter)) return undefined;
    if (receiver?.kind === "library") return elementOf(receiver);
    if (receiver?.kind !== "instance") return undefined;
    const own = this.#in.members.ownOrInherited(receiver.path, receiver.slot, method, new Set());
    return own && own.kind !== "outside" ? undefined : (this.iterated(path, receiver) ?? receiver);
  }

  /** Rust: `Type::default()` and its like are often derived, and always give a value of the type. */
  isMade(path: string, callee: Expression, type: Value | undefined, found: Value | undefined): type is Definition {
    if (this.#family(path) !== "rust" || !MAKES.test(nameIn(callee)) || type?.kind !== "definition") return false;
    return (!found || found.kind === "outside") && this.#entity(type)?.kind === "class";
  }

  /** Rust: the stated type argument, or for a trait of wrappers the content that the receiver counts as. */
  genericResult(
    path: string,
    value: Definition,
    receiver: Value | undefined,
    stated: readonly (Expression | null)[] | undefined,
  ): Value | undefined {
    const generic = this.#entity(value)?.generic;
    if (generic === undefined) return undefined;
    if (generic < 0) return receiver;
    const type = stated?.[generic];
    return type ? this.#in.evaluatedValue(path, type) : undefined;
  }

  /** The stated type of a function outside the project, which most often is its result: `text.parse::<Number>()`. */
  statedResult(
    path: string,
    callee: Expression,
    stated: readonly (Expression | null)[] | undefined,
  ): Value | undefined {
    const [type, ...others] = stated ?? [];
    if (!type || others.length > 0 || ABOUT_TYPE.test(nameIn(callee))) return undefined;
    const value = this.#in.evaluatedValue(path, type);
    return value?.kind === "instance" ? value : undefined;
  }

  #entity({ path, slot }: Definition): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }

  #family(path: string): Family | undefined {
    return this.#in.files.get(path)?.family;
  }
}
