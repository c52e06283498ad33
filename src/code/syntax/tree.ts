/**
 * A syntax tree in flat arrays, in the order of the text. Tree-sitter keeps its trees in WebAssembly, where every question
 * about a node is a call that costs more than the answer: asking each node once and keeping the answers here takes a third
 * of the time.
 */

/** Names of a grammar's node types and fields, by their numbers. */
export interface NodeNames {
  types: readonly string[];
  named: Uint8Array;
  fields: ReadonlyMap<string, number>;
}

/** Tree-sitter's number for a part of the text that it cannot parse. */
export const ERROR_TYPE = 0xffff;

export class SyntaxTree {
  readonly names: NodeNames;
  text = "";
  size = 0;
  types = new Uint16Array(0);
  fields = new Uint16Array(0);
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  parents = new Int32Array(0);
  /** The number of the first node after the node and everything in it. */
  nexts = new Int32Array(0);
  #lineStarts: number[] = [];

  constructor(names: NodeNames) {
    this.names = names;
  }

  reset(text: string): void {
    this.text = text;
    this.size = 0;
    this.#lineStarts = [];
  }

  /** Makes room for this many nodes. */
  reserve(count: number): void {
    if (count <= this.types.length) return;
    const room = Math.max(4096, this.types.length * 2, count);
    this.types = grown(this.types, new Uint16Array(room));
    this.fields = grown(this.fields, new Uint16Array(room));
    this.starts = grown(this.starts, new Int32Array(room));
    this.ends = grown(this.ends, new Int32Array(room));
    this.parents = grown(this.parents, new Int32Array(room));
    this.nexts = grown(this.nexts, new Int32Array(room));
  }

  isNamed(at: number): boolean {
    const type = this.types[at] as number;
    return type === ERROR_TYPE || this.names.named[type] === 1;
  }

  /** Line and column of an offset, from zero. */
  position(offset: number): { row: number; column: number } {
    const starts = this.#lines();
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { row: low, column: offset - (starts[low] as number) };
  }

  #lines(): readonly number[] {
    if (this.#lineStarts.length > 0) return this.#lineStarts;
    const starts = [0];
    for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
    return starts;
  }
}

function grown<T extends Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** A node, as a view of the tree's arrays: valid until the tree takes another text. */
export class Node {
  readonly tree: SyntaxTree;
  /** Its position among all nodes. */
  readonly id: number;

  constructor(tree: SyntaxTree, id: number) {
    this.tree = tree;
    this.id = id;
  }

  get type(): string {
    return this.tree.names.types[this.tree.types[this.id] as number] ?? "ERROR";
  }

  get startIndex(): number {
    return this.tree.starts[this.id] as number;
  }

  get endIndex(): number {
    return this.tree.ends[this.id] as number;
  }

  get startPosition(): { row: number; column: number } {
    return this.tree.position(this.startIndex);
  }

  get endPosition(): { row: number; column: number } {
    return this.tree.position(this.endIndex);
  }

  get text(): string {
    return this.tree.text.slice(this.startIndex, this.endIndex);
  }

  get parent(): Node | null {
    const parent = this.tree.parents[this.id] as number;
    return parent < 0 ? null : new Node(this.tree, parent);
  }

  get firstChild(): Node | null {
    return (this.tree.nexts[this.id] as number) > this.id + 1 ? new Node(this.tree, this.id + 1) : null;
  }

  get children(): Node[] {
    return this.#children(() => true);
  }

  get namedChildren(): Node[] {
    const tree = this.tree;
    const { nexts } = tree;
    const found: Node[] = [];
    const end = nexts[this.id] as number;
    for (let at = this.id + 1; at < end; at = nexts[at] as number) if (tree.isNamed(at)) found.push(new Node(tree, at));
    return found;
  }

  get namedChildCount(): number {
    return this.namedChildren.length;
  }

  get previousSibling(): Node | null {
    return this.#siblingBefore(() => true);
  }

  get previousNamedSibling(): Node | null {
    return this.#siblingBefore((at) => this.tree.isNamed(at));
  }

  get nextSibling(): Node | null {
    const { parents, nexts } = this.tree;
    const parent = parents[this.id] as number;
    const next = nexts[this.id] as number;
    return parent < 0 || next >= (nexts[parent] as number) ? null : new Node(this.tree, next);
  }

  childForFieldName(name: string): Node | null {
    const field = this.tree.names.fields.get(name);
    if (field === undefined) return null;
    const { fields, nexts } = this.tree;
    const end = nexts[this.id] as number;
    for (let at = this.id + 1; at < end; at = nexts[at] as number)
      if (fields[at] === field) return new Node(this.tree, at);
    return null;
  }

  childrenForFieldName(name: string): Node[] {
    const field = this.tree.names.fields.get(name);
    return field === undefined ? [] : this.#children((at) => this.tree.fields[at] === field);
  }

  #children(accept: (at: number) => boolean): Node[] {
    const { nexts } = this.tree;
    const found: Node[] = [];
    const end = nexts[this.id] as number;
    for (let at = this.id + 1; at < end; at = nexts[at] as number) if (accept(at)) found.push(new Node(this.tree, at));
    return found;
  }

  #siblingBefore(accept: (at: number) => boolean): Node | null {
    const { parents, nexts } = this.tree;
    const parent = parents[this.id] as number;
    if (parent < 0) return null;
    let found = -1;
    for (let at = parent + 1; at < this.id; at = nexts[at] as number) if (accept(at)) found = at;
    return found < 0 ? null : new Node(this.tree, found);
  }
}
