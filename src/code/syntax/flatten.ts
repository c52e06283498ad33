/**
 * Reads a parsed tree into flat arrays, directly from the memory of the parser's WebAssembly module, because asking the
 * module for each property of each node takes four times as long. The layout is that of `Subtree` in tree-sitter's
 * `subtree.h`.
 *
 * A node is either a pointer, or eight bytes that hold a small leaf: then the lowest bit is set.
 *
 * leaf, bytes: 0 flags, 1 symbol, 6 space before it, 7 size
 *
 * node, bytes: 4 space before it, 16 size, 36 number of children, 40 symbol, 44 flags, 48 visible children, 56 visible
 * nodes in it, 66 production; its children lie before it, the last one next to it
 *
 * Sizes are those of UTF-16, in bytes.
 */
import type { Tree } from "web-tree-sitter";
import { addressOf, type GrammarTables, type ParserMemory } from "./grammar_tables.ts";
import { ERROR_TYPE, type SyntaxTree } from "./tree.ts";

const LEAF = { isLeaf: 1, isVisible: 2, isExtra: 8 } as const;
const NODE = { isVisible: 1, isExtra: 4 } as const;

/** One level of the walk: the children of a node that are left. Nodes that a grammar hides are levels, too. */
interface Level {
  /** Address of the next child, and of the end of the children. */
  next: number;
  end: number;
  /** Where the child before it ended. */
  position: number;
  /** Place of the next child in the tables of the grammar; -1: the parent has no fields and aliases. */
  place: number;
  /** Field that children without their own have. */
  field: number;
  /** The flat node around them. */
  parent: number;
  /** Whether the flat node ends with this level. */
  isVisible: boolean;
}

export function flatten(
  memory: ParserMemory,
  tables: GrammarTables,
  parsed: Tree,
  text: string,
  into: SyntaxTree,
): void {
  into.reset(text);
  const walk = new Walk(memory, tables, into);
  walk.all(addressOf(parsed));
}

class Walk {
  readonly #words: Uint32Array;
  readonly #halves: Uint16Array;
  readonly #tables: GrammarTables;
  readonly #into: SyntaxTree;
  readonly #levels: Level[] = [];
  #depth = 0;

  constructor({ HEAPU32, HEAPU16 }: ParserMemory, tables: GrammarTables, into: SyntaxTree) {
    this.#words = HEAPU32;
    this.#halves = HEAPU16;
    this.#tables = tables;
    this.#into = into;
  }

  /** The root is the first thing in the tree. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over all nodes, without a call for each
  all(root: number): void {
    const words = this.#words;
    const halves = this.#halves;
    const levels = this.#levels;
    const { aliases, fields: fieldsOf, typeOf } = this.#tables;
    const into = this.#into;
    this.#root(root);
    // The arrays have room for all of the root's descendants.
    const { types, fields, starts, ends, parents, nexts } = into;
    let size = into.size;
    while (this.#depth > 0) {
      const level = levels[this.#depth - 1] as Level;
      const next = level.next;
      if (next === level.end) {
        if (level.isVisible) nexts[level.parent] = size;
        this.#depth -= 1;
        continue;
      }
      const first = words[next >> 2] as number;
      level.next = next + 8;
      const isLeaf = (first & LEAF.isLeaf) !== 0;
      const at = first >> 2;
      const second = isLeaf ? (words[(next >> 2) + 1] as number) : 0;
      const flags = isLeaf ? first : (words[at + 11] as number);
      const start = level.position + (isLeaf ? (second >>> 16) & 0xff : (words[at + 1] as number));
      const end = start + (isLeaf ? second >>> 24 : (words[at + 4] as number));
      level.position = end;
      let alias = 0;
      let field = 0;
      if ((flags & (isLeaf ? LEAF.isExtra : NODE.isExtra)) === 0) {
        field = level.field;
        const place = level.place;
        if (place >= 0) {
          alias = aliases[place] as number;
          field = (fieldsOf[place] as number) || field;
          level.place = place + 1;
        }
      }
      const isVisible = alias !== 0 || (flags & (isLeaf ? LEAF.isVisible : NODE.isVisible)) !== 0;
      const children = isLeaf ? 0 : (words[at + 9] as number);
      if (isVisible) {
        const symbol = alias || (isLeaf ? (first >>> 8) & 0xff : (halves[at * 2 + 20] as number));
        types[size] = symbol === ERROR_TYPE ? symbol : (typeOf[symbol] as number);
        fields[size] = field;
        starts[size] = start >> 1;
        ends[size] = end >> 1;
        parents[size] = level.parent;
        nexts[size] = size + 1;
        size += 1;
        if (children > 0) this.#descend(first, children, start, 0, size - 1, true);
      } else if (children > 0 && words[at + 12] !== 0)
        this.#descend(first, children, start, field, level.parent, false);
    }
    if (size > types.length) throw new Error("The tree has more nodes than its root states.");
    into.size = size;
  }

  #root(root: number): void {
    const words = this.#words;
    const first = words[root >> 2] as number;
    const second = words[(root >> 2) + 1] as number;
    const at = first >> 2;
    if ((first & LEAF.isLeaf) !== 0) {
      this.#into.reserve(1);
      this.#add((first >>> 8) & 0xff, 0, (second >>> 16) & 0xff, second >>> 24, -1);
      return;
    }
    this.#into.reserve(1 + (words[at + 14] as number));
    const start = words[at + 1] as number;
    const node = this.#add(this.#halves[at * 2 + 20] as number, 0, start, words[at + 4] as number, -1);
    const children = words[at + 9] as number;
    if (children > 0) this.#descend(first, children, start, 0, node, true);
  }

  #add(symbol: number, field: number, start: number, size: number, parent: number): number {
    const into = this.#into;
    const at = into.size;
    into.types[at] = symbol === ERROR_TYPE ? symbol : (this.#tables.typeOf[symbol] as number);
    into.fields[at] = field;
    into.starts[at] = start >> 1;
    into.ends[at] = (start + size) >> 1;
    into.parents[at] = parent;
    into.nexts[at] = at + 1;
    into.size = at + 1;
    return at;
  }

  /** The first child begins where its parent does: the space before both is the same. */
  #descend(node: number, children: number, start: number, field: number, parent: number, isVisible: boolean): void {
    const from = node - children * 8;
    const production = this.#halves[(node >> 1) + 33] as number;
    const place = production === 0 ? -1 : production * this.#tables.maxChildren;
    const first = this.#words[from >> 2] as number;
    const isLeaf = (first & LEAF.isLeaf) !== 0;
    const space = isLeaf
      ? ((this.#words[(from >> 2) + 1] as number) >>> 16) & 0xff
      : (this.#words[(first >> 2) + 1] as number);
    const level = this.#levels[this.#depth];
    this.#depth += 1;
    if (!level) {
      this.#levels.push({ next: from, end: node, position: start - space, place, field, parent, isVisible });
      return;
    }
    level.next = from;
    level.end = node;
    level.position = start - space;
    level.place = place;
    level.field = field;
    level.parent = parent;
    level.isVisible = isVisible;
  }
}
