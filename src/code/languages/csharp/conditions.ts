/**
 * C#: text for a certain build. The grammar reads conditions (`#if`) around whole members and statements, but not those in
 * the middle of one: in a list of bases, around the first half of a `try`.
 */
import { conditionHolds } from "../conditions.ts";

const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|else|endif)\b([^\n]*)$/;
/** A symbol that the file itself defines, or whose definition it takes back. */
const DEFINED = /^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)/;
const MAX_SYMBOLS = 50;
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
  const own = new Map<string, boolean>();
  let hasConditions = false;
  const lines = text.split("\n").map((line) => {
    const [, directive, rest = ""] = line.length > MAX_CONDITION_CHARS ? [] : (DIRECTIVE.exec(line) ?? []);
    const current = open.at(-1);
    if (directive === undefined) {
      const isBuilt = current?.isBuilt ?? true;
      const [, defined, symbol] = (isBuilt && own.size < MAX_SYMBOLS && DEFINED.exec(line)) || [];
      if (symbol !== undefined) own.set(symbol, defined === "define");
      return isBuilt ? line : blank(line);
    }
    hasConditions = true;
    if (directive === "if") {
      const isOuterBuilt = current?.isBuilt ?? true;
      const holds = isOuterBuilt && open.length < MAX_NESTED && holdsIn(rest, own);
      open.push({ isOuterBuilt, isBuilt: holds, isTaken: holds });
    } else if (directive === "endif") open.pop();
    else if (current) {
      const holds = directive === "else" || holdsIn(rest, own);
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

function holdsIn(condition: string, own: ReadonlyMap<string, boolean>): boolean {
  return conditionHolds(condition.replace(/\/\/.*$/, ""), (symbol) => own.get(symbol) ?? HOLDS.test(symbol));
}
