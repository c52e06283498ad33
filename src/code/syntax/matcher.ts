/** Finds all matches of patterns in a tree, in the order in which they are complete in the text. */
import type { NodePattern, Pattern, PatternTable, Step } from "./patterns.ts";
import { Node, type SyntaxTree } from "./tree.ts";

export interface Capture {
  name: string;
  node: Node;
}

export interface Match {
  /** At least one, the outermost node first. */
  captures: Capture[];
  /** The last node that the pattern needed. */
  last: number;
  /** The outermost node of the pattern. */
  root: number;
  pattern: number;
}

/** The steps that follow once the children of a node are matched. */
interface Rest {
  steps: readonly Step[];
  at: number;
  parent: number;
  from: number;
  rest: Rest | undefined;
}

export function findMatches(tree: SyntaxTree, patterns: PatternTable): Match[] {
  const matcher = new Matcher(tree);
  const byType: (readonly Pattern[] | undefined)[] = [];
  for (const [type, found] of patterns) byType[type] = found;
  for (let at = 0; at < tree.size; at += 1) {
    const found = byType[tree.types[at] as number];
    if (found) for (const pattern of found) matcher.match(pattern, at);
  }
  return matcher.matches.sort((a, b) => a.last - b.last || a.root - b.root || a.pattern - b.pattern);
}

class Matcher {
  readonly matches: Match[] = [];
  readonly #tree: SyntaxTree;
  readonly #captures: Capture[] = [];
  #pattern: Pattern | undefined;
  #last = 0;
  #root = 0;
  /** Number of matches before the current pattern. */
  #first = 0;

  constructor(tree: SyntaxTree) {
    this.#tree = tree;
  }

  match(pattern: Pattern, at: number): void {
    if (pattern.plain !== undefined) {
      const captures = [{ name: pattern.plain, node: new Node(this.#tree, at) }];
      this.matches.push({ captures, last: at, root: at, pattern: pattern.index });
      return;
    }
    this.#pattern = pattern;
    this.#root = at;
    this.#last = at;
    this.#first = this.matches.length;
    this.#node(pattern.root, at, undefined);
  }

  #node(pattern: NodePattern, at: number, rest: Rest | undefined): void {
    if (pattern.absent.length > 0 && this.#hasField(at, pattern.absent)) return;
    const before = this.#captures.length;
    const lastBefore = this.#last;
    this.#last = at;
    for (const name of pattern.captures) this.#captures.push({ name, node: new Node(this.#tree, at) });
    this.#steps(pattern.steps, 0, at, at + 1, rest);
    // Each pattern has a few captures; setting the length of an array takes longer than taking as many off.
    while (this.#captures.length > before) this.#captures.pop();
    this.#last = lastBefore;
  }

  #steps(steps: readonly Step[], index: number, parent: number, from: number, rest: Rest | undefined): void {
    const step = steps[index];
    if (!step) {
      if (rest) this.#steps(rest.steps, rest.at, rest.parent, rest.from, rest.rest);
      else this.#add();
      return;
    }
    const { nexts, fields, types } = this.#tree;
    const end = nexts[parent] as number;
    for (let at = from; at < end; at = nexts[at] as number) {
      const isNamed = this.#tree.isNamed(at);
      if (step.field === 0 || fields[at] === step.field) {
        for (const pattern of step.alternatives) {
          if (pattern.types ? !pattern.types.has(types[at] as number) : !isNamed) continue;
          const follows = { steps, at: index + 1, parent, from: nexts[at] as number, rest };
          this.#node(pattern, at, follows);
        }
      }
      if (step.isNext && isNamed) return;
    }
  }

  #hasField(parent: number, wanted: readonly number[]): boolean {
    const { nexts, fields } = this.#tree;
    const end = nexts[parent] as number;
    for (let at = parent + 1; at < end; at = nexts[at] as number)
      if (wanted.includes(fields[at] as number)) return true;
    return false;
  }

  #add(): void {
    const { index = 0, conditions = [] } = this.#pattern ?? {};
    for (const { capture, matches } of conditions) {
      const captured = this.#captures.find(({ name }) => name === capture);
      if (!captured || !matches.test(captured.node.text)) return;
    }
    // Nodes that the pattern does not capture can be matched in several ways.
    for (let at = this.#first; at < this.matches.length; at += 1) if (this.#isSame(this.matches[at] as Match)) return;
    this.matches.push({ captures: this.#captures.slice(), last: this.#last, root: this.#root, pattern: index });
  }

  #isSame({ captures }: Match): boolean {
    return (
      captures.length === this.#captures.length &&
      captures.every(
        ({ name, node }, at) => name === this.#captures[at]?.name && node.id === this.#captures[at]?.node.id,
      )
    );
  }
}
