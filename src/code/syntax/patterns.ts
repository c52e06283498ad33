/**
 * Patterns of syntax nodes, in the notation of tree-sitter's queries: `(type field: (other) @capture . (next) !absent)`,
 * alternatives in brackets, anonymous nodes in quotes, and `#match?`. dex matches them itself (`matcher.ts`): the query
 * compiler of tree-sitter takes a tenth of a second for a large grammar, in every thread.
 */
import type { NodeNames } from "./tree.ts";

export interface NodePattern {
  /** Numbers of the node types; undefined: any named node. */
  types: ReadonlySet<number> | undefined;
  captures: readonly string[];
  steps: readonly Step[];
  /** Numbers of fields that the node must not have. */
  absent: readonly number[];
}

/** A pattern for a child. Steps match children in their order. */
export interface Step {
  /** 0: in any field or none. */
  field: number;
  /** It follows the step before, or the start, with no named node between. */
  isNext: boolean;
  alternatives: readonly NodePattern[];
}

export interface Pattern {
  /** Its position in the list of patterns. */
  index: number;
  root: NodePattern;
  /** Conditions on the text of captured nodes. */
  conditions: readonly { capture: string; matches: RegExp }[];
  /** The only thing it asks for is the type of a node, which it captures under this name. */
  plain: string | undefined;
}

/** Patterns by the type of their outermost node. */
export type PatternTable = ReadonlyMap<number, readonly Pattern[]>;

const TOKEN = /\s+|;[^\n]*|"(?:[^"\\]|\\.)*"|#[\w-]+\?|@[\w.]+|![\w]+|[\w]+:|[\w]+|[()[\].]/y;

export function readPatterns(source: string, names: NodeNames): PatternTable {
  const reader = new PatternReader(source, names);
  const table = new Map<number, Pattern[]>();
  for (let index = 0; !reader.isDone(); index += 1) {
    const { alternatives, conditions } = reader.topLevel();
    for (const root of alternatives) {
      for (const type of root.types ?? []) {
        const known = table.get(type) ?? [];
        table.set(type, known);
        known.push({ index, root, conditions, plain: plainCapture(root, conditions) });
      }
    }
  }
  return table;
}

function plainCapture({ captures, steps, absent }: NodePattern, conditions: readonly unknown[]): string | undefined {
  const asksMore = steps.length > 0 || absent.length > 0 || conditions.length > 0 || captures.length > 1;
  return asksMore ? undefined : captures[0];
}

class PatternReader {
  readonly #tokens: string[] = [];
  readonly #names: NodeNames;
  #at = 0;
  #conditions: { capture: string; matches: RegExp }[] = [];

  constructor(source: string, names: NodeNames) {
    this.#names = names;
    TOKEN.lastIndex = 0;
    for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
      const found = TOKEN.exec(source)?.[0];
      if (found === undefined) throw new Error(`A pattern cannot be read: ${source.slice(at, at + 40)}`);
      if (!/^[\s;]/.test(found)) this.#tokens.push(found);
    }
  }

  isDone(): boolean {
    return this.#at >= this.#tokens.length;
  }

  topLevel(): { alternatives: NodePattern[]; conditions: { capture: string; matches: RegExp }[] } {
    this.#conditions = [];
    const alternatives = this.#alternatives();
    return { alternatives, conditions: this.#conditions };
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error("A pattern ends too early.");
    this.#at += 1;
    return token;
  }

  #take(wanted: string): boolean {
    if (this.#tokens[this.#at] !== wanted) return false;
    this.#at += 1;
    return true;
  }

  /** One node, or a list of alternatives, with its captures. */
  #alternatives(): NodePattern[] {
    const first = this.#next();
    const found: NodePattern[] = [];
    if (first === "[") while (!this.#take("]")) found.push(...this.#alternatives());
    else if (first === "(") found.push(this.#node());
    else if (first.startsWith('"')) found.push(this.#plain(this.#typesOf(first.slice(1, -1), false)));
    else throw new Error(`A pattern has ${first} in place of a node.`);
    const captures = this.#captures();
    return captures.length === 0
      ? found
      : found.map((each) => ({ ...each, captures: [...captures, ...each.captures] }));
  }

  #captures(): string[] {
    const found: string[] = [];
    while (this.#tokens[this.#at]?.startsWith("@")) found.push(this.#next().slice(1));
    return found;
  }

  #node(): NodePattern {
    const name = this.#next();
    const steps: Step[] = [];
    const absent: number[] = [];
    while (!this.#take(")")) {
      const token = this.#tokens[this.#at] ?? "";
      if (token.startsWith("!")) absent.push(this.#fieldOf(this.#next().slice(1)));
      else if (this.#tokens[this.#at + 1]?.startsWith("#")) this.#condition();
      else steps.push(this.#step());
    }
    return { ...this.#plain(name === "_" ? undefined : this.#typesOf(name, true)), steps, absent };
  }

  #step(): Step {
    const isNext = this.#take(".");
    const token = this.#tokens[this.#at] ?? "";
    const field = token.endsWith(":") ? this.#fieldOf(this.#next().slice(0, -1)) : 0;
    return { field, isNext, alternatives: this.#alternatives() };
  }

  /** `(#match? @capture "expression")`. */
  #condition(): void {
    this.#next();
    const [what, capture, expression] = [this.#next(), this.#next(), this.#next()];
    if (what !== "#match?" || !this.#take(")")) throw new Error(`A pattern has an unknown condition ${what}.`);
    this.#conditions.push({ capture: capture.slice(1), matches: new RegExp(JSON.parse(expression) as string) });
  }

  #plain(types: ReadonlySet<number> | undefined): NodePattern {
    return { types, captures: [], steps: [], absent: [] };
  }

  /** A grammar can have several node types of one name. */
  #typesOf(name: string, isNamed: boolean): ReadonlySet<number> {
    const { types, named } = this.#names;
    const found = new Set<number>();
    for (const [id, type] of types.entries()) if (type === name && (named[id] === 1) === isNamed) found.add(id);
    if (found.size === 0) throw new Error(`The grammar has no node type ${name}.`);
    return found;
  }

  #fieldOf(name: string): number {
    const field = this.#names.fields.get(name);
    if (field === undefined) throw new Error(`The grammar has no field ${name}.`);
    return field;
  }
}
