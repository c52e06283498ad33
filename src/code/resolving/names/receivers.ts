/**
 * Guesses the class of a value of unknown type in Ruby and PHP from the methods that its function, or for a field its class,
 * calls on it: one class of the project may be the only one that has them all.
 */
import { type Expression, type MemberExpression, TAG } from "../../expression.ts";
import type { CallFact } from "../../facts.ts";
import type { Family } from "../../languages/language.ts";
import type { Evaluator } from "../evaluating/evaluator.ts";
import type { DefinitionRef, NamedDefinition, WholeProject } from "../project/project_files.ts";
import { isOwnLibraryName } from "./library_names.ts";

/** Methods that must agree on a class; one alone is a guess by its name. */
const MIN_METHODS = 2;
/** A method that more classes have says little about any of them. */
const MAX_OWNERS = 20;

export class Receivers {
  readonly #calls: readonly CallFact[];
  readonly #evaluator: Evaluator;
  readonly #project: WholeProject;
  readonly #path: string;
  readonly #family: Family;
  /** Methods that are called on the same value. */
  #methods: Map<string, Set<string>> | undefined;
  readonly #classes = new Map<string, DefinitionRef | undefined>();

  constructor(path: string, calls: readonly CallFact[], evaluator: Evaluator, project: WholeProject, family: Family) {
    this.#path = path;
    this.#calls = calls;
    this.#evaluator = evaluator;
    this.#project = project;
    this.#family = family;
  }

  /** The method of the only class that has all methods called on the receiver. */
  member(from: number, [, receiver, name]: MemberExpression): DefinitionRef | undefined {
    if (!this.#isUsed() || !isNamed(receiver)) return undefined;
    for (const key of keysOf(from, receiver)) {
      if (!this.#classes.has(key)) this.#classes.set(key, this.#classOf(key));
      const owner = this.#classes.get(key);
      const found = owner && this.#evaluator.memberOf(owner, name);
      if (found) return found;
    }
    return undefined;
  }

  /** The method of the only class that has all methods which a module calls on its instance: it will include the module. */
  ofSelf(slot: number, name: string): DefinitionRef | undefined {
    const key = selfKey(slot);
    if (!this.#isUsed()) return undefined;
    if (!this.#classes.has(key)) this.#classes.set(key, this.#classOf(key));
    const owner = this.#classes.get(key);
    return owner && this.#evaluator.memberOf(owner, name);
  }

  #isUsed(): boolean {
    return this.#family === "ruby" || this.#family === "php";
  }

  #isOwn(slot: number, name: string): boolean {
    return this.#evaluator.memberOf({ path: this.#path, slot }, name) !== undefined;
  }

  /** The classes that members belong to. */
  #ownersOf(members: readonly NamedDefinition[]): DefinitionRef[] {
    return members.flatMap(({ path, slot, member, family }) => {
      const owner = this.#project.surfaces.get(path)?.entities[slot]?.parent ?? -1;
      return member && family === this.#family && owner >= 0 ? [{ path, slot: owner }] : [];
    });
  }

  #classOf(key: string): DefinitionRef | undefined {
    this.#methods ??= methodsByReceiver(this.#calls, (slot, name) => this.#isOwn(slot, name));
    const known = [...(this.#methods.get(key) ?? [])]
      .map((name) => ({ name, owners: this.#ownersOf(this.#project.named(name)) }))
      .filter(({ owners }) => owners.length > 0);
    // A value of the language's library may have them all.
    if (known.length < MIN_METHODS || known.every(({ name }) => isOwnLibraryName(this.#family, name))) return undefined;
    const fitting = new Map<string, DefinitionRef>();
    for (const { owners } of known) {
      if (owners.length > MAX_OWNERS) continue;
      for (const owner of owners) {
        const place = `${owner.slot}:${owner.path}`;
        if (!fitting.has(place) && known.every(({ name }) => this.#evaluator.memberOf(owner, name)))
          fitting.set(place, owner);
      }
    }
    const found = [...fitting.values()];
    return found.find((base) => found.every((each) => this.#evaluator.inherits(each, base)));
  }
}

function methodsByReceiver(
  calls: readonly CallFact[],
  isOwn: (slot: number, name: string) => boolean,
): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { from, callee } of calls) {
    if (callee[0] === TAG.memberOrFree && !isOwn(callee[1], callee[2])) {
      const key = selfKey(callee[1]);
      methods.set(key, (methods.get(key) ?? new Set()).add(callee[2]));
    }
    if (callee[0] !== TAG.member || !isNamed(callee[1])) continue;
    for (const key of keysOf(from, callee[1])) methods.set(key, (methods.get(key) ?? new Set()).add(callee[2]));
  }
  return methods;
}

function selfKey(slot: number): string {
  return `self ${slot}`;
}

/** A value that the text names: a variable, a field, or what a block is given. The empty name stands for all others. */
function isNamed(receiver: Expression): boolean {
  return !(receiver[0] === TAG.freeName && receiver[1] === "");
}

/** Where a receiver is the same value: in its function, then in its file, where variables of one name are often alike. */
function keysOf(from: number, receiver: Expression): string[] {
  if (receiver[0] === TAG.either) return [...keysOf(from, receiver[1]), ...keysOf(from, receiver[2])];
  const text = JSON.stringify(receiver);
  const isField = receiver[0] === TAG.memberOrFree || (receiver[0] === TAG.member && receiver[1][0] === TAG.instance);
  if (isField) return [text];
  return receiver[0] === TAG.freeName ? [`${from}${text}`, text] : [`${from}${text}`];
}
