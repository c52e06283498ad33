/**
 * Guesses the target of a name that imports and types do not lead to, from all definitions of the project with that name.
 * The only one is a likely target; several stay candidates.
 */
import type { Relation } from "../../../store/code.ts";
import { type Expression, type MemberExpression, nameIn, TAG } from "../../expression.ts";
import { folderOf } from "../../modules/module.ts";
import type { Evaluator } from "../evaluating/evaluator.ts";
import type { Value } from "../evaluating/values.ts";
import { CONFIDENCE, type FoundEdges } from "../found_edges.ts";
import type { DefinitionRef, NamedDefinition, WholeProject } from "../project/project_files.ts";
import type { SurfaceIndex, Surfaces } from "../project/surface_index.ts";
import { classNamedBy } from "../ruby/names.ts";
import { isLibraryName, isOwnLibraryName } from "./library_names.ts";
import type { Receivers } from "./receivers.ts";

/** A name with more candidates than this says nothing about any of them. */
const MAX_CANDIDATES = 5;
/** Methods of one name that are compared with each other. */
const MAX_OVERRIDES = 20;
/** Ruby: methods of the library that are called without a receiver only. */
const NEVER_RECEIVED = /^(attr|autoload|catch|fork|lambda|loop|proc|raise|rand|require|sleep|spawn|system|throw|warn)$/;

type OfSelf = readonly [typeof TAG.memberOrFree, number, string];

export class NameGuesser {
  readonly #path: string;
  readonly #index: SurfaceIndex;
  readonly #evaluator: Evaluator;
  readonly #project: WholeProject;
  readonly #edges: FoundEdges;
  readonly #surfaces: Surfaces;
  readonly #receivers: Receivers;
  /** The value of each class name, by definition and name. */
  readonly #classes = new Map<string, Value | undefined>();

  constructor(
    path: string,
    surfaces: Surfaces,
    index: SurfaceIndex,
    evaluator: Evaluator,
    project: WholeProject,
    edges: FoundEdges,
    receivers: Receivers,
  ) {
    this.#receivers = receivers;
    this.#path = path;
    this.#surfaces = surfaces;
    this.#index = index;
    this.#evaluator = evaluator;
    this.#project = project;
    this.#edges = edges;
  }

  /** A method of an unknown value is guessed only when its name is not a common library name. */
  member(from: number, line: number, callee: MemberExpression, given?: number): void {
    const receiver = this.#evaluator.receiver(this.#path, callee[1]);
    if (receiver?.kind === "definition" && this.#evaluator.c.isNamespace(receiver)) {
      this.name(from, line, "CALLS", callee, given);
      return;
    }
    // In Rust `Deref` or an implementation for every type may give the method of a trait to a known type.
    const isKnown =
      receiver && !(receiver.kind === "instance" && this.#isOfTrait(callee[2])) && !this.#isOfMixed(receiver);
    const isLibrary =
      isLibraryName(this.#index.family, callee[2]) &&
      !(this.#index.family === "ruby" && NEVER_RECEIVED.test(callee[2]));
    const likely = receiver ? undefined : this.#receivers.member(from, callee);
    if (callee[1][0] === TAG.instance && this.#index.family === "ruby") {
      this.ofSelf(from, line, [TAG.memberOrFree, callee[1][1], callee[2]], false);
      return;
    }
    // Ruby: the class that includes a module decides which method comes next; PHP: so does the one that uses a trait.
    if (callee[1][0] === TAG.base && /^(ruby|php)$/.test(this.#index.family)) return;
    if (likely) this.candidates(from, line, "CALLS", [likely]);
    else if (isKnown) this.#edges.unresolved += 1;
    else if (this.#byVariable(from, line, callee)) return;
    else if (isLibrary && !this.#isBeside(callee[2])) this.#edges.unresolved += 1;
    else this.#guess(from, line, "CALLS", callee, "members");
  }

  #isOfTrait(name: string): boolean {
    if (this.#index.family !== "rust") return false;
    const found = this.#project.named(name).filter(({ family, member }) => family === "rust" && member);
    return this.#ofBase(found).some(({ owner }) => owner === "interface");
  }

  /** PHP: an instance of the class that uses a trait has the methods of its other traits, too. */
  #isOfMixed(receiver: Value): boolean {
    if (this.#index.family !== "php" || receiver.kind !== "instance") return false;
    return this.#surfaces.get(receiver.path)?.surface.entities[receiver.slot]?.isTrait === true;
  }

  /** The method of a trait or base class alone, if all others of its name implement or override it. */
  #ofBase(found: readonly NamedDefinition[]): readonly NamedDefinition[] {
    if (found.length < 2 || found.length > MAX_OVERRIDES) return found;
    const owners = found.map((each) => ({ path: each.path, slot: this.#ownerOf(each) }));
    const base = found.find((_, at) => {
      const to = owners[at];
      return to && owners.every((from) => this.#evaluator.inherits(from, to));
    });
    return base ? [base] : found;
  }

  #ownerOf({ path, slot }: NamedDefinition): number {
    return this.#surfaces.get(path)?.surface.entities[slot]?.parent ?? -1;
  }

  /** Ruby: a variable that is named after a class, with a method of that class, is a guess, too. */
  #byVariable(from: number, line: number, callee: MemberExpression): boolean {
    const owner = this.#index.family === "ruby" ? this.#likelyClass(from, callee[1]) : undefined;
    const found = owner && this.#evaluator.memberOf(owner, callee[2]);
    if (found) this.candidates(from, line, "CALLS", [found]);
    return found !== undefined;
  }

  /** The class of a value: by the methods that lead to it, or by its name. */
  #likelyClass(from: number, expression: Expression): DefinitionRef | undefined {
    if (expression[0] === TAG.either)
      return this.#likelyClass(from, expression[1]) ?? this.#likelyClass(from, expression[2]);
    const known = this.#evaluator.receiver(this.#path, expression);
    if (known) return known.kind === "instance" || known.kind === "definition" ? known : undefined;
    const name = classNamedBy(expression);
    const value = name === undefined ? undefined : this.#classNamed(from, name);
    if (value?.kind === "definition") return value;
    const method = expression[0] === TAG.call ? expression[1] : expression;
    const owner = method[0] === TAG.member ? this.#likelyClass(from, method[1]) : undefined;
    const [only, ...others] = method[0] === TAG.memberOrFree ? this.#likelyOfSelf(method, true) : [];
    const found = owner ? this.#evaluator.memberOf(owner, nameIn(method)) : others.length === 0 ? only : undefined;
    const result = found && this.#evaluator.resultOf(found);
    return result?.kind === "instance" || result?.kind === "definition" ? result : undefined;
  }

  /** The class of this name that a definition sees. */
  #classNamed(from: number, name: string): Value | undefined {
    const around = this.#index.surface.entities[from]?.parent ?? -1;
    const key = `${around}:${name}`;
    if (!this.#classes.has(key)) {
      const type: Expression = around < 0 ? [TAG.freeName, name] : [TAG.memberOrFree, around, name];
      this.#classes.set(key, this.#evaluator.evaluate(this.#path, type));
    }
    return this.#classes.get(key);
  }

  /** Ruby: a method of the instance that its class or module does not have: that of a class which includes the module, or the only one of that name. */
  ofSelf(from: number, line: number, callee: OfSelf, isBare: boolean): void {
    const named = this.#likelyOfSelf(callee, isBare);
    const fitting =
      named.length > 1 && this.#isModule(callee[1]) ? this.#receivers.ofSelf(callee[1], callee[2]) : undefined;
    const likely = fitting ? [fitting] : this.#nearest(from, named);
    this.candidates(from, line, "CALLS", likely);
    if (likely.length !== 1) this.#edges.unresolved += 1;
  }

  #isModule(slot: number): boolean {
    return this.#index.surface.entities[slot]?.kind === "module";
  }

  /** Ruby: a base outside the project may have the method of the instance, but a class that includes the module does have it. */
  ofIncluding(from: number, line: number, callee: Expression): void {
    const self = callee[0] === TAG.member && callee[1][0] === TAG.instance ? callee[1][1] : undefined;
    const slot = callee[0] === TAG.memberOrFree ? callee[1] : self;
    if (slot !== undefined) this.candidates(from, line, "CALLS", this.#including(slot, nameIn(callee)));
  }

  /** Methods of the classes and modules that extend the one with this slot. */
  #including(slot: number, name: string): readonly NamedDefinition[] {
    const self = { path: this.#path, slot };
    const found = this.#project.named(name).filter((each) => {
      if (each.family !== "ruby" || (each.kind !== "method" && each.kind !== "function")) return false;
      return this.#evaluator.inherits({ path: each.path, slot: this.#ownerOf(each) }, self);
    });
    return this.#ofBase(found);
  }

  #likelyOfSelf([, slot, name]: OfSelf, isBare: boolean): readonly NamedDefinition[] {
    const found = this.#project.named(name).filter((each) => {
      const isMethod = each.kind === "method" || each.kind === "function";
      return each.family === "ruby" && isMethod && !this.#isAround(each, slot);
    });
    const self = { path: this.#path, slot };
    const including = found.filter((each) => {
      return this.#evaluator.inherits({ path: each.path, slot: this.#ownerOf(each) }, self);
    });
    // A module is made to be mixed in; an unrelated class is not.
    const mixed = isBare ? [] : found.filter(({ member }) => !member);
    if (including.length === 0 && isLibraryName("ruby", name)) return [];
    return this.#ofBase([including, mixed, found].find((list) => list.length > 0) ?? []);
  }

  /** Ruby: a class does not see the methods of the classes around it. */
  #isAround(method: NamedDefinition, slot: number): boolean {
    if (method.path !== this.#path) return false;
    const { entities } = this.#index.surface;
    const owner = this.#ownerOf(method);
    for (let at = entities[slot]?.parent ?? -1; at >= 0; at = entities[at]?.parent ?? -1) if (at === owner) return true;
    return false;
  }

  /** A name that the file does not define or import. */
  name(from: number, line: number, relation: Relation, expression: Expression, given?: number): void {
    if (this.#index.family === "c") this.#linked(from, line, relation, nameIn(expression), given);
    else this.#guess(from, line, relation, expression, "tops");
  }

  #guess(from: number, line: number, relation: Relation, expression: Expression, among: "tops" | "members"): void {
    const name = nameIn(expression);
    const { family } = this.#index;
    // In the other families a name may be visible without an import.
    const visible = family !== "ecmascript" && family !== "python";
    const found =
      among === "members" || visible
        ? this.#project
            .named(name)
            .filter((each) => each.family === family && isAmong(each, among) && !this.#isInline(each))
        : [];
    const isDynamic = /^(rust|ruby|php)$/.test(family) && among === "members";
    const likely = isDynamic ? this.#ofBase(this.#beside(found)) : family === "c" ? this.#written(found) : found;
    this.candidates(from, line, relation, likely);
    if (likely.length !== 1) this.#edges.unresolved += 1;
  }

  /** PHP: of several, those in the folder of the caller, which is mostly its namespace, if one is the base of the others. */
  #beside(found: readonly NamedDefinition[]): readonly NamedDefinition[] {
    if (this.#index.family !== "php") return found;
    const near = found.filter(({ path }) => folderOf(path) === folderOf(this.#path));
    return this.#ofBase(near).length === 1 ? near : found;
  }

  #isBeside(name: string): boolean {
    if (this.#index.family !== "php" || isOwnLibraryName("php", name)) return false;
    const found = this.#project.named(name).filter(({ family, member }) => family === "php" && member);
    return found.length > 0 && found.every(({ path }) => folderOf(path) === folderOf(this.#path));
  }

  /** A member of a type that is written where it is used: its name alone leads there only from that place. */
  #isInline({ path, slot, family }: NamedDefinition): boolean {
    return family === "ecmascript" && this.#surfaces.get(path)?.surface.entities[slot]?.isInline === true;
  }

  /** Ruby: of several, the only one in the innermost module around the caller that has any of them. */
  #nearest(from: number, found: readonly DefinitionRef[]): readonly DefinitionRef[] {
    if (found.length < 2 || found.length > MAX_OVERRIDES) return found;
    const around = (this.#index.surface.entities[from]?.qualified ?? "").split(".");
    const shared = found.map(({ path, slot }) => {
      const names = (this.#surfaces.get(path)?.surface.entities[slot]?.qualified ?? "").split(".");
      const differs = names.findIndex((name, at) => name !== around[at]);
      return differs < 0 ? names.length : differs;
    });
    const most = Math.max(...shared);
    const near = found.filter((_, at) => shared[at] === most);
    return most > 1 && near.length === 1 ? near : found;
  }

  /** C++: the overloads of one class are one candidate, and its definition counts, not the declaration. */
  #written(found: readonly NamedDefinition[]): readonly DefinitionRef[] {
    const byClass = new Map(found.map((each) => [`${this.#ownerOf(each)}:${each.path}`, each]));
    return [...byClass.values()].map((each) => this.#evaluator.c.detached.written(each));
  }

  /** C: the definition of a function that an included header declares; without a declaration it is a guess. */
  #linked(from: number, line: number, relation: Relation, name: string, given: number | undefined): void {
    const { c } = this.#evaluator;
    const linked = c.overloads.chosen(this.#path, c.linked(this.#path, name), given);
    const found = this.#project.named(name).filter(({ family, kind, exported, path }) => {
      return family === "c" && kind === "function" && (exported || path === this.#path);
    });
    if (!linked && found.length !== 1) this.#edges.unresolved += 1;
    if (linked?.kind === "definition") {
      const to = { path: linked.path, slot: linked.slot };
      const [resolution, confidence] = linked.unsure
        ? (["unique-name", CONFIDENCE.unique] as const)
        : (["import", CONFIDENCE.direct] as const);
      this.#edges.add({ from, to, relation, resolution, confidence, line });
    } else if (!isLibraryName("c", name)) {
      // C++: a class that is declared only, of which a value is made.
      const type = found.length === 0 ? c.onlyType(this.#path, name) : undefined;
      this.candidates(from, line, relation, type?.kind === "definition" ? [type] : found);
    }
  }

  /** Edges to the definitions that a name may mean; too many say nothing about any of them. */
  candidates(from: number, line: number, relation: Relation, found: readonly DefinitionRef[]): void {
    if (found.length === 0 || found.length > MAX_CANDIDATES) return;
    const [resolution, confidence] =
      found.length === 1
        ? (["unique-name", CONFIDENCE.unique] as const)
        : (["ambiguous", Math.round(100 / found.length) / 100] as const);
    for (const { path, slot } of found) {
      this.#edges.add({ from, to: { path, slot }, relation, resolution, confidence, line });
    }
  }
}

/** Ruby: a method of a module is one of the classes that include it. */
function isAmong({ family, kind, member, owner }: NamedDefinition, among: "tops" | "members"): boolean {
  if (family !== "ruby" || among === "tops") return member === (among === "members");
  return (kind === "method" || kind === "function") && owner !== "file";
}
