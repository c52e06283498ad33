/** Reads the text of a type that Python's annotations have in quotes, because its name is defined further below. */
import { type Expression, RECEIVER, TAG, TUPLE, tupleOf } from "../../../expression.ts";
import type { Scope } from "../scopes.ts";
import { isPrimitive, unionOf } from "./unions.ts";

const MAX_CHARS = 400;
const MAX_DEPTH = 6;
const TOKEN = /\s*([\p{L}_][\p{L}\p{N}_.]*|[[\],|]|\S)/uy;

/** Undefined if the text is not a type. */
export function quotedType(text: string, scope: Scope): Expression | undefined {
  if (text.length > MAX_CHARS) return undefined;
  return new QuotedType(text.replaceAll(/["']/g, ""), scope).read(0);
}

/** `Callable[[A], B]`: the parameters are a list in front of the result. */
function functionOf([parameters, result]: readonly (Expression | undefined)[]): Expression {
  const stated = parameters?.[0] === TAG.ofType && isTuple(parameters[1]) ? parameters[2] : [];
  return [TAG.functionType, stated, result ?? null, null];
}

function isTuple(head: Expression): boolean {
  return head[0] === TAG.freeName && head[1] === TUPLE;
}

class QuotedType {
  readonly #text: string;
  readonly #scope: Scope;
  #at = 0;

  constructor(text: string, scope: Scope) {
    this.#text = text;
    this.#scope = scope;
  }

  /** `A | B[C]`; leaves the position behind it. */
  read(depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const sides: (Expression | undefined)[] = [];
    do {
      const name = this.#next();
      const parts = this.#takes("[") ? this.#arguments(depth) : [];
      if (isPrimitive(name)) continue;
      const isUnion = /(^|\.)Union$/.test(name);
      const isFunction = /(^|\.)Callable$/.test(name);
      sides.push(isUnion ? unionOf(parts) : isFunction ? functionOf(parts) : this.#named(name, parts));
    } while (this.#takes("|"));
    return unionOf(sides);
  }

  #arguments(depth: number): (Expression | undefined)[] {
    const parts: (Expression | undefined)[] = [];
    do {
      // The parameters of `Callable[[A], B]`.
      if (depth < MAX_DEPTH && this.#takes("["))
        parts.push(tupleOf(this.#arguments(depth + 1).map((each) => each ?? null)));
      else if (this.#peek() !== "]") parts.push(this.read(depth + 1));
    } while (this.#takes(","));
    this.#takes("]");
    return parts;
  }

  #named(path: string, parts: readonly (Expression | undefined)[]): Expression | undefined {
    if (!/^[\p{L}_]/u.test(path)) return undefined;
    const [first = "", ...members] = path.split(".");
    if ((members.at(-1) ?? first) === "Self") return RECEIVER;
    const head = this.#scope.type(first);
    const named = members.reduce<Expression | undefined>((of, name) => of && [TAG.member, of, name], head);
    return named && [TAG.ofType, named, parts.map((each) => each ?? null)];
  }

  #peek(): string {
    TOKEN.lastIndex = this.#at;
    return TOKEN.exec(this.#text)?.[1] ?? "";
  }

  #next(): string {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    this.#at = found ? TOKEN.lastIndex : this.#text.length;
    return found?.[1] ?? "";
  }

  #takes(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#next();
    return true;
  }
}
