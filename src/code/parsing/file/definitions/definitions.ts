/** Turns a definition into a fact: its names, signature, lines and hash. */
import { hash } from "node:crypto";
import type { EntityKind } from "../../../../store/code.ts";
import { countLines } from "../../../../text/clip.ts";
import type { FileFacts } from "../../../facts.ts";
import type { Language } from "../../../languages/language.ts";
import type { Node } from "../../../syntax/tree.ts";
import { signatureOf } from "./signature.ts";

export const MAX_NAME_CHARS = 200;
const MAX_ENTITIES = 20_000;

export interface Definition {
  kind: EntityKind;
  name: string;
  node: Node;
  body: Node | null;
  /** Slot of the enclosing definition; -1: the file. */
  parent: number;
}

/** Returns its slot; -1 when the file already has `MAX_ENTITIES` definitions. */
export function addDefinition(
  { entities }: FileFacts,
  language: Language,
  text: string,
  definition: Definition,
): number {
  const { kind, name, node, body, parent } = definition;
  if (entities.length >= MAX_ENTITIES) return -1;
  const outer = outermost(node, language);
  const owner = entities[parent];
  const end = language.endOf?.(text, node) ?? outer.endIndex;
  const short = name.slice(0, MAX_NAME_CHARS);
  entities.push({
    kind,
    name: short,
    qualified: owner ? `${owner.qualified}.${short}` : short,
    parent,
    exported: owner
      ? owner.exported && (kind === "method" || owner.kind === "module") && !short.startsWith("#")
      : language.isExported(node, short),
    signature: signatureOf(text.slice(outer.startIndex, body?.startIndex ?? outer.endIndex), kind),
    doc: "",
    first: outer.startPosition.row + 1,
    last: lastLine(outer, text, end),
    hash: hash("sha1", text.slice(outer.startIndex, end), "hex").slice(0, 16),
    ...(kind === "function" || kind === "method" ? parametersOf(node, language) : {}),
  });
  return entities.length - 1;
}

function parametersOf(node: Node, { arity }: Language): { parameters?: [number, number] } {
  const parameters = arity?.of(node);
  return parameters ? { parameters } : {};
}

function lastLine({ type, endIndex, endPosition }: Node, text: string, end: number): number {
  // A directive of C ends where the next line begins.
  if (type.startsWith("preproc_") && endPosition.column === 0) return endPosition.row;
  return endPosition.row + (end > endIndex ? countLines(text.slice(endIndex, end)) : 1);
}

function outermost(node: Node, language: Language): Node {
  let outer = node;
  const { wrappers } = language.nodes;
  for (let parent = outer.parent; parent && wrappers.has(parent.type); parent = outer.parent) {
    // One of several in a declaration (`const ( a = 1; b = 2 )`): the rest is not part of it.
    if (parent.namedChildCount > 1 && parent.namedChildren.filter((each) => each?.type === node.type).length > 1) break;
    outer = parent;
  }
  return outer;
}

/** TypeScript: types whose sides may be object types. */
const SIDED = /^(union|intersection|parenthesized)_type$/;

/** Whether the node with this id directly contains the definition, ignoring wrappers and casts in between. */
export function isInside(node: Node, id: number, language: Language): boolean {
  const { around, bodies, casts, wrappers } = language.nodes;
  let container = node.parent;
  while (container && (wrappers.has(container.type) || bodies.has(container.type))) container = container.parent;
  let at = container?.parent ?? null;
  while (at && (around.has(at.type) || casts.has(at.type) || SIDED.test(at.type))) at = at.parent;
  return at?.id === id || container?.id === id;
}
