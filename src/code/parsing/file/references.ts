/** Reads uses of definitions other than calls: types, values that are read, passed on or assigned, members by name. */

import { type Expression, TAG } from "../../expression.ts";
import type { UseFact, UseKind } from "../../facts.ts";
import type { Node } from "../../syntax/tree.ts";
import type { Scope } from "../expressions/scopes.ts";
import { MAX_NAME_CHARS } from "./definitions/definitions.ts";
import type { OpenFile } from "./open_file.ts";

/** Uses of one target by one definition that are kept with their lines. */
const MAX_LINES = 200;
const MAX_CONTEXT_DEPTH = 6;
const NAME = /[\p{L}\p{N}_$]+/uy;
/** The ASCII characters of names, by code. */
const WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w$]/.test(String.fromCharCode(code))));
const MEMBER = /([\p{L}_$][\p{L}\p{N}_$]*)(?:\??\.|::)([\p{L}_$][\p{L}\p{N}_$]*)/uy;
const ASSIGNS = /assign|^update_expression$|^(inc|dec)_statement$/;

interface Pending {
  node: Node;
  scope: Scope;
  slot: number;
  isMember: boolean;
}

export class References {
  readonly #file: OpenFile;
  /** Ids of nodes that are read in another way: names of definitions, callees, bases, labels. */
  readonly #taken = new Set<number>();
  readonly #pending: Pending[] = [];
  readonly #found = new Map<string, UseFact>();
  /** Names before this offset belong to an import. */
  #importEnd = 0;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  take(node: Node | undefined): void {
    if (node) this.#taken.add(node.id);
  }

  skipImport(node: Node): void {
    this.#importEnd = node.endIndex;
  }

  /** A name at the current place of the file; its meaning is looked up when all names are bound. */
  add(node: Node, isMember: boolean): void {
    if (node.startIndex < this.#importEnd || this.#taken.has(node.id)) return;
    const { scope, slot } = this.#file.frame;
    this.#pending.push({ node, scope, slot, isMember });
  }

  finish(): void {
    for (const use of this.#pending) {
      if (use.isMember) this.#member(use);
      else this.#name(use);
    }
    this.#file.facts.uses.push(...this.#found.values());
  }

  #name({ node, scope, slot }: Pending): void {
    const { text, fixedNames, language } = this.#file;
    const name = nameAt(text, node.startIndex);
    if (name === "" || name.length > MAX_NAME_CHARS) return;
    if (fixedNames.has(name)) {
      const isType = node.type === "type_identifier";
      const target = scope.fixed(name, isType);
      if (target?.[0] === TAG.definition || target?.[0] === TAG.import || target?.[0] === TAG.member)
        this.#keep(slot, isType ? "type" : this.#kindOf(node), target, node);
    } else if (language.visibleNames?.test(name) && !scope.isBound(name)) {
      this.#keep(slot, this.#kindOf(node), [TAG.freeName, name], node);
    }
  }

  #member({ node, scope, slot }: Pending): void {
    MEMBER.lastIndex = node.startIndex;
    const [, of = "", name = ""] = MEMBER.exec(this.#file.text) ?? [];
    if (of === "" || name.length > MAX_NAME_CHARS) return;
    const object = of === "this" ? this.#instance(scope) : scope.value(of);
    if (object && hasDefinition(object)) this.#keep(slot, this.#kindOf(node), [TAG.member, object, name], node);
    else if (object?.[0] === TAG.freeName && this.#file.language.visibleNames?.test(of))
      this.#keep(slot, this.#kindOf(node), [TAG.member, object, name], node);
  }

  #instance({ self }: Scope): Expression | undefined {
    return self < 0 ? undefined : [TAG.instance, self];
  }

  #keep(from: number, kind: UseKind, target: Expression, node: Node): void {
    const line = node.startPosition.row + 1;
    const key = `${from} ${kind} ${keyOf(target)}`;
    const known = this.#found.get(key);
    if (!known) this.#found.set(key, { from, kind, target, lines: [line] });
    else if (known.lines.length < MAX_LINES && known.lines.at(-1) !== line) known.lines.push(line);
  }

  #kindOf(node: Node): UseKind {
    if (node.type.endsWith("type_identifier") || node.type.endsWith("_type")) return "type";
    const { typeContexts } = this.#file.language;
    let at = node.parent;
    if (at && ASSIGNS.test(at.type) && at.namedChildren[0]?.id === node.id) return "write";
    if (!typeContexts) return "read";
    for (let depth = 0; at && depth < MAX_CONTEXT_DEPTH; depth += 1, at = at.parent)
      if (typeContexts.has(at.type)) return "type";
    return "read";
  }
}

/** The object is a definition, an import, or a value of such a type or made by one. */
function hasDefinition(object: Expression): boolean {
  const [tag] = object;
  if (tag === TAG.ofType || tag === TAG.construct || tag === TAG.call) return hasDefinition(object[1]);
  return tag === TAG.definition || tag === TAG.import || tag === TAG.instance;
}

/** The name that begins at an offset. Nearly all are ASCII, and there are too many for an expression. */
function nameAt(text: string, start: number): string {
  let end = start;
  let code = text.charCodeAt(end);
  while (code < 128 && WORD[code] === 1) {
    end += 1;
    code = text.charCodeAt(end);
  }
  if (!(code >= 128)) return text.slice(start, end);
  NAME.lastIndex = start;
  return NAME.exec(text)?.[0] ?? "";
}

function keyOf(target: Expression): string {
  return target.length === 2 && typeof target[1] === "number" ? `${target[0]} ${target[1]}` : target.flat(3).join(" ");
}
