/** A file that is being read: its facts so far, the definitions around the current item, and work that must wait. */

import type { EntityKind } from "../../../store/code.ts";
import { type Expression, TAG } from "../../expression.ts";
import { emptyFacts, type FileFacts } from "../../facts.ts";
import type { Language } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import { isTestPath } from "../../test_paths.ts";
import { ExpressionReader } from "../expressions/expression_reader.ts";
import { type Frame, type LateBinding, Scope } from "../expressions/scopes.ts";
import { typedefValue } from "../expressions/types/documented_types.ts";
import { Typing } from "../expressions/types/typing.ts";
import { addDefinition, isInside } from "./definitions/definitions.ts";
import { FileImports } from "./file_imports.ts";
import { FilledCollections } from "./filled_collections.ts";
import type { Item } from "./items.ts";
import { PassedArguments } from "./ruby/passed_arguments.ts";

/** Kinds of definitions that can have members. */
const OWNERS = new Set<EntityKind>(["class", "interface", "type", "constant", "module"]);
export const CLASSES: ReadonlySet<EntityKind> = new Set(["class", "interface", "type"]);

export class OpenFile {
  /** Rust: slots of types of other modules, which the file implements by their path. */
  readonly otherTypes = new Set<number>();
  readonly language: Language;
  readonly text: string;
  readonly isTest: boolean;
  readonly top = new Scope(undefined);
  readonly imports: FileImports;
  readonly expressions: ExpressionReader;
  readonly typing: Typing;
  readonly passed: PassedArguments;
  readonly fills: FilledCollections | undefined;
  readonly facts: FileFacts;
  readonly stack: Frame[];
  /** Names of the definitions and imports of this file. */
  readonly fixedNames = new Set<string>();
  /** Python: names of this file that stand for types. */
  readonly typeVariables = new Set<string>();
  /** C: comments between the heads of functions and their bodies, by slot. */
  readonly bodyDocs = new Map<number, string>();
  readonly #deferred: (() => void)[] = [];

  constructor(language: Language, text: string, path: string) {
    this.language = language;
    this.text = text;
    this.isTest = isTestPath(path);
    this.facts = emptyFacts(language.name);
    const build = language.readBuild?.(text, path);
    if (build !== undefined) this.facts.build = build;
    this.imports = new FileImports(language, text, this.facts, this.top, this.fixedNames);
    this.expressions = new ExpressionReader(language, this.imports, text);
    this.typing = new Typing(language, this.expressions);
    this.passed = new PassedArguments(this.expressions, this.facts.entities);
    this.fills = /^(?:rust|ecmascript)$/.test(language.family)
      ? new FilledCollections(language, this.expressions)
      : undefined;
    this.stack = [{ end: Number.MAX_SAFE_INTEGER, node: -1, scope: this.top, slot: -1, anonymous: false }];
  }

  get frame(): Frame {
    return this.stack.at(-1) as Frame;
  }

  /** Leaves the definitions that end before this offset. */
  leaveUntil(start: number): void {
    while (this.frame.end <= start) this.stack.pop();
    const { frame } = this;
    while (frame.late?.[0] && frame.late[0].end <= start) {
      // Names before the declaration keep the scope without it.
      const { bind, isPart } = frame.late.shift() as LateBinding;
      frame.scope = isPart ? frame.scope.part() : new Scope(frame.scope);
      bind(frame.scope);
    }
  }

  /** Binds names for the rest of the current block after an offset. */
  bindAfter(end: number, bind: (scope: Scope) => void, isPart = false): void {
    const { frame } = this;
    frame.late = [...(frame.late ?? []), { end, bind, isPart }];
  }

  /** Runs when all names of the file are bound. */
  later(work: () => void): void {
    this.#deferred.push(work);
  }

  finish(): void {
    for (const work of this.#deferred) work();
  }

  /** Functions written directly inside the object become definitions below `slot` (-1: the file). */
  openObject(item: Item, object: Node, slot: number): void {
    const { scope } = this.frame;
    this.stack.push({ end: item.end, node: object.id, scope, slot, anonymous: false, isObject: true });
  }

  open(item: Item, slot: number, scope: Scope, anonymous = false): void {
    this.stack.push({ end: item.end, node: item.node.id, scope, slot, anonymous });
  }

  /** A block belongs to the function around it; a function that is the value of a definition belongs to that. */
  openBlock(item: Item, scope: Scope): void {
    const { node, slot, anonymous } = this.frame;
    const isOwn = item.node.id === node || item.node.parent?.id === node;
    this.open(item, slot, scope, this.typing.isFunction(item.node) ? !isOwn : anonymous);
  }

  /** The first type of this name, directly in a definition or anywhere in the file. */
  typeSlot(name: string, inside?: number): number {
    return this.facts.entities.findIndex(
      (each, slot) =>
        each.name === name &&
        CLASSES.has(each.kind) &&
        (inside === undefined || each.parent === inside) &&
        !this.otherTypes.has(slot),
    );
  }

  add(kind: EntityKind, name: string, node: Node, parent = this.frame.slot): number {
    const definition = { kind, name, node, body: this.typing.body(node), parent };
    return addDefinition(this.facts, this.language, this.text, definition);
  }

  bindDefinition(scope: Scope, kind: EntityKind, name: string, slot: number): void {
    const meaning = (): Expression => [TAG.definition, slot];
    scope.fix(name);
    this.fixedNames.add(name);
    if (kind === "module" && this.language.family === "ecmascript") {
      // A namespace adds to the class, function or type of its name.
      if (!scope.valueMeaning(name)) scope.bindValue(name, meaning);
      if (!scope.typeMeaning(name)) scope.bindType(name, meaning);
      return;
    }
    if (kind === "interface" || kind === "type") scope.bindType(name, meaning);
    else scope.bindValue(name, meaning);
    if (kind === "class" || kind === "module") scope.bindType(name, meaning);
  }

  /** JavaScript: other files can import the types to which comments give names. */
  exportTypedefs(at: Node): void {
    for (const name of this.expressions.typedefs.keys()) {
      if (this.top.valueMeaning(name) ?? this.top.typeMeaning(name)) continue;
      const value = typedefValue(this.expressions, name, at, this.top);
      if (value) this.facts.exports.push({ name, value });
    }
  }

  /** Whether the node is written directly in the current class, interface or constant. */
  belongs(node: Node): boolean {
    const { slot, node: id, isObject } = this.frame;
    const owner = this.facts.entities[slot];
    if (!isObject && (!owner || !OWNERS.has(owner.kind))) return false;
    return isInside(node, id, this.language);
  }
}
