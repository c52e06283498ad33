/**
 * JavaScript: types as comments write them: `Item`, `?Item[]`, `Map<string, Item>`, `A | B`, `{ user: User }`,
 * `typeof Item`, `import("./item").Item`.
 */
import { oneLine } from "../../../../kernel/text.ts";
import { type Expression, listOf, TAG } from "../../../expression.ts";

export interface JsdocNames {
  /** The definition or import behind a name, or the value of a type that a comment names. */
  type(name: string): Expression | undefined;
  /** A name of another module. */
  imported(source: string, name: string): Expression;
}

const TOKENS = /"[^"]*"|'[^']*'|`[^`]*`|=>|\.\.\.|[\w$]+(?:\.[A-Za-z_$][\w$]*)*|[^\s]/g;
const MAX_TOKENS = 80;
const MAX_SIDES = 8;
const MAX_MEMBERS = 24;
const MAX_ARGUMENTS = 4;
const WITHOUT_MEMBERS =
  /^(null|undefined|void|never|true|false|\d+|string|number|boolean|bigint|symbol|any|unknown|object|Object|Function|function)$/i;
const NAME = /^[A-Za-z_$][\w$.]*$/;

const TYPEDEF =
  /@typedef\s+\{((?:[^{}]|\{[^{}]{0,400}\}){1,600})\}\s+([A-Za-z_$][\w$]*)((?:(?!@typedef|\*\/)[\s\S]){0,4000})/g;
const PROPERTY = /@prop(?:erty)?\s+\{((?:[^{}]|\{[^{}]{0,200}\}){1,200})\}\s+\[?([\w$]+)/g;
const MAX_TYPEDEFS = 400;

const IMPORT = /@import\b([^"'{}]{0,200}(?:\{[^{}]{0,4000}\}[\s*]{0,200})?)\bfrom\s{1,200}(["'])([^"'\n]{1,300})\2/g;
/** The names in an import, on one line: `Usual, { Item as Other }`, `* as items`. */
const IMPORTED = /^(?:([A-Za-z_$][\w$]*) ?,? ?)?(?:\{([^{}]*)\}|\* ?as ([A-Za-z_$][\w$]*))?$/;
const NAMED_IMPORT = /^\s*(?:type\s+)?([A-Za-z_$][\w$]*)(?:\s+as\s+([A-Za-z_$][\w$]*))?\s*$/;
const MAX_IMPORTED = 100;

/** The types to which the comments of a file give names: `@typedef {Map<string, Item>} Items`. */
export function typedefsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!text.includes("@typedef")) return found;
  for (const [, type = "", name = "", after = ""] of text.matchAll(TYPEDEF)) {
    if (found.size >= MAX_TYPEDEFS) break;
    const members = [...after.matchAll(PROPERTY)].slice(0, MAX_MEMBERS);
    const stated = members.map(([, of = "", member = ""]) => `${member}: ${withoutStars(of)}`).join(", ");
    found.set(name, stated === "" ? withoutStars(type) : `{ ${stated} }`);
  }
  return found;
}

/** The types that the comments of a file import, each as the type it stands for: `@import { Item as Other } from "./item"`. */
export function typeImportsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!text.includes("@import")) return found;
  for (const [, imported = "", , source = ""] of text.matchAll(IMPORT)) {
    const [, usual, list, module] = IMPORTED.exec(oneLine(withoutStars(imported))) ?? [];
    const from = `import("${source}")`;
    if (usual !== undefined) found.set(usual, `${from}.default`);
    if (module !== undefined) found.set(module, `typeof ${from}`);
    for (const each of list === undefined ? [] : list.split(",").slice(0, MAX_IMPORTED)) {
      const [, name, local = name] = NAMED_IMPORT.exec(each) ?? [];
      if (name !== undefined && local !== undefined) found.set(local, `${from}.${name}`);
    }
    if (found.size >= MAX_TYPEDEFS) break;
  }
  return found;
}

/** A type that several lines of a comment write. */
function withoutStars(type: string): string {
  return type.replaceAll(/\n[ \t]*\*/g, "\n");
}

/** Undefined: a type that cannot have members of the project, or of a form that is not known. */
export function jsdocType(text: string, names: JsdocNames): Expression | undefined {
  const tokens = text.match(TOKENS) ?? [];
  return tokens.length > MAX_TOKENS ? undefined : new JsdocType(tokens, names).sides();
}

class JsdocType {
  readonly #tokens: readonly string[];
  readonly #names: JsdocNames;
  #at = 0;

  constructor(tokens: readonly string[], names: JsdocNames) {
    this.#tokens = tokens;
    this.#names = names;
  }

  sides(): Expression | undefined {
    const sides: Expression[] = [];
    do {
      const side = this.#side();
      if (side && sides.length < MAX_SIDES) sides.push(side);
    } while (this.#take("|") || this.#take("&"));
    return sides.length > 1 ? [TAG.union, sides] : sides[0];
  }

  #side(): Expression | undefined {
    while (this.#take("!") || this.#take("?") || this.#take("..."));
    let found = this.#one();
    while (this.#take("[")) {
      this.#take("]");
      found = listOf(found ?? null);
    }
    while (this.#take("!") || this.#take("?") || this.#take("="));
    return found;
  }

  #one(): Expression | undefined {
    if (this.#take("(")) return this.#bracket();
    if (this.#take("{")) return this.#record();
    if (this.#take("typeof")) return this.#take("import") ? this.#imported(true) : this.#names.type(this.#next());
    if (this.#take("import")) return this.#imported();
    const name = this.#next();
    if (name === "Object" && this.#tokens[this.#at] === "<")
      return [TAG.ofType, [TAG.freeName, "Record"], this.#arguments()];
    if (!NAME.test(name) || WITHOUT_MEMBERS.test(name)) return this.#skipFunction(name);
    const generic = this.#arguments();
    const [first = "", ...path] = name.split(".");
    // A type of the language's library counts for what it holds.
    const isLibrary = path.length === 0 && generic.some((each) => each !== null);
    const head = this.#names.type(first) ?? (isLibrary ? ([TAG.freeName, name] as const) : undefined);
    // A type parameter of the function or class.
    if (path.length === 0 && (head?.[0] === TAG.instance || head?.[0] === TAG.parameter)) return head;
    const whole = path.reduce<Expression | undefined>((of, each) => of && [TAG.member, of, each], head);
    return whole && [TAG.ofType, whole, generic];
  }

  /** `function(Item): void` has nothing to call. */
  #skipFunction(name: string): undefined {
    if (name !== "function" && name !== "Object" && name !== "object") return;
    if (this.#take("(")) {
      this.#skip(")");
      if (this.#take(":")) this.#side();
    } else this.#arguments();
  }

  #bracket(): Expression | undefined {
    const start = this.#at;
    const found = this.sides();
    if (this.#take(")") && this.#tokens[this.#at] !== "=>") return found;
    // `(item: Item) => void`
    this.#at = start;
    this.#skip(")");
    if (this.#take("=>")) this.#side();
    return undefined;
  }

  #record(): Expression | undefined {
    const members: [string, Expression][] = [];
    while (this.#at < this.#tokens.length && !this.#take("}")) {
      const name = this.#next();
      this.#take("?");
      const value = this.#take(":") ? this.sides() : undefined;
      if (value && members.length < MAX_MEMBERS) members.push([name, value]);
    }
    return members.length > 0 ? [TAG.record, members] : undefined;
  }

  /** `isValue`: what the module itself has under the name, not a value of a type. */
  #imported(isValue = false): Expression | undefined {
    this.#take("(");
    const source = this.#next().slice(1, -1);
    this.#take(")");
    const [name = "", ...path] = this.#take(".") ? this.#next().split(".") : ["*"];
    const head = path.reduce<Expression>((of, each) => [TAG.member, of, each], this.#names.imported(source, name));
    return isValue ? head : [TAG.ofType, head, this.#arguments()];
  }

  /** `<A, B>`, `.<A, B>` */
  #arguments(): (Expression | null)[] {
    if (this.#tokens[this.#at] === "." && this.#tokens[this.#at + 1] === "<") this.#at += 1;
    const found: (Expression | null)[] = [];
    if (!this.#take("<")) return found;
    do {
      const each = this.sides() ?? null;
      if (found.length < MAX_ARGUMENTS) found.push(each);
    } while (this.#take(","));
    this.#take(">");
    return found;
  }

  /** Up to the end of a bracket that is open. */
  #skip(end: string): void {
    let depth = 1;
    while (depth > 0 && this.#at < this.#tokens.length) {
      const token = this.#next();
      if (token === "(") depth += 1;
      else if (token === end) depth -= 1;
    }
  }

  #take(token: string): boolean {
    const isNext = this.#tokens[this.#at] === token;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #next(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? "";
  }
}
