/**
 * C#: text for a certain build. The grammar reads conditions (`#if`) around whole members and statements, but not those in
 * the middle of one: in a list of bases, around the first half of a `try`.
 */
const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|else|endif)\b([^\n]*)$/;
/** Symbols that a usual build defines. */
const HOLDS = /^(?:true|NET|NETCOREAPP|TRACE|DEBUG|NET(?:STANDARD|COREAPP)?\d+_\d+_OR_GREATER|NETSTANDARD)$/;
const MAX_NESTED = 40;
const MAX_CONDITION_CHARS = 500;

interface Open {
  /** Whether the text around the condition is part of the build. */
  isOuterBuilt: boolean;
  isBuilt: boolean;
  /** One of its branches is part of the build already. */
  isTaken: boolean;
}

/** The text without the directives and what a usual build leaves out, at the same places; undefined if it has no conditions. */
export function builtText(text: string): string | undefined {
  const open: Open[] = [];
  let hasConditions = false;
  const lines = text.split("\n").map((line) => {
    const [, directive, rest = ""] = line.length > MAX_CONDITION_CHARS ? [] : (DIRECTIVE.exec(line) ?? []);
    const current = open.at(-1);
    if (directive === undefined) return (current?.isBuilt ?? true) ? line : blank(line);
    hasConditions = true;
    if (directive === "if") {
      const isOuterBuilt = current?.isBuilt ?? true;
      const holds = isOuterBuilt && open.length < MAX_NESTED && new Condition(rest).holds();
      open.push({ isOuterBuilt, isBuilt: holds, isTaken: holds });
    } else if (directive === "endif") open.pop();
    else if (current) {
      const holds = directive === "else" || new Condition(rest).holds();
      current.isBuilt = current.isOuterBuilt && !current.isTaken && holds;
      current.isTaken ||= current.isBuilt;
    }
    return blank(line);
  });
  return hasConditions ? lines.join("\n") : undefined;
}

function blank(line: string): string {
  return line.endsWith("\r") ? `${" ".repeat(line.length - 1)}\r` : " ".repeat(line.length);
}

/** `!(NET20 || NET35) && DEBUG`. */
class Condition {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.replace(/\/\/.*$/, "").match(/&&|\|\||[!()]|\w+/g) ?? [];
  }

  holds(): boolean {
    let value = this.#all();
    while (this.#take("||")) value = this.#all() || value;
    return value;
  }

  #all(): boolean {
    let value = this.#one();
    while (this.#take("&&")) value = this.#one() && value;
    return value;
  }

  #one(): boolean {
    if (this.#take("!")) return !this.#one();
    if (!this.#take("(")) {
      this.#at += 1;
      return HOLDS.test(this.#tokens[this.#at - 1] ?? "");
    }
    const value = this.holds();
    this.#take(")");
    return value;
  }

  #take(token: string): boolean {
    const isNext = this.#tokens[this.#at] === token;
    if (isNext) this.#at += 1;
    return isNext;
  }
}
