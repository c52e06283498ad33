/**
 * C and C++: macros that are used where the grammar sees no call: among the parameters of a template, before a
 * declaration, in a condition of the preprocessor, in the body of another macro.
 */
import { type Expression, nameIn, TAG } from "../../../expression.ts";
import type { EntityFact, FileFacts } from "../../../facts.ts";

/** Comments, which may end with the text, strings and the names that directives define or ask for are skipped. */
const TOKENS =
  /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*["\\\n]?|'(?:[^'\\\n]|\\.){1,10}'|#[ \t]*(?:define|undef|ifn?def)[ \t]+\w+|\b([A-Z][A-Z0-9_]+)[ \t]*\(/g;

/** A call of a function, whose name has a small letter. */
const CALL = /"(?:[^"\\]|\\.)*"?|\/\*.*?(?:\*\/|$)|\/\/.*|(?<![\w.>])((?=\w*[a-z])[A-Za-z_]\w*)[ \t]*\(/g;
const KEYWORD =
  /^(?:alignof|asm|case|catch|decltype|defined|do|else|for|if|return|sizeof|static_assert|switch|typeof|void|while|(?:const|dynamic|reinterpret|static)_cast|_*(?:asm|attribute|typeof|alignof|builtin_\w+)_*)$/;
/** `#define NAME(parameters)` */
const HEAD = /^[^(]*\([^)]*\)?/;
const MAX_MACRO_LINES = 100;
const MAX_LINE = 400;

export function addMacroCalls(facts: FileFacts, text: string): void {
  const known = new Map<string, number>();
  for (const { line, callee } of facts.calls) count(known, facts, line, callee);
  const macros = new Map(facts.entities.flatMap(({ name, isMacro }, slot) => (isMacro ? [[name, slot]] : [])));
  let [line, done] = [1, 0];
  for (const { 1: name, index } of text.matchAll(TOKENS)) {
    if (name === undefined) continue;
    line += newlines(text, done, index);
    done = index;
    const key = `${line}:${name}`;
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    if (left > 0) continue;
    const own = macros.get(name);
    const callee: Expression = own === undefined ? [TAG.freeName, name] : [TAG.definition, own];
    facts.calls.push({ from: innermost(facts.entities, line), line, callee });
  }
  addCallsInBodies(facts, text, [...macros.values()]);
}

/** Calls in the bodies of macros with parameters, but for those of other macros in capitals. */
function addCallsInBodies(facts: FileFacts, text: string, macros: readonly number[]): void {
  if (macros.length === 0) return;
  const lines = text.split("\n");
  const functions = new Map(
    facts.entities.flatMap(({ name, kind }, slot) => (kind === "function" ? [[name, slot]] : [])),
  );
  for (const slot of macros) {
    const { first, last } = facts.entities[slot] as EntityFact;
    const [head = ""] = HEAD.exec(lines[first - 1] ?? "") ?? [];
    const ownNames = new Set(head.match(/\w+/g) ?? []);
    for (let line = first; line <= Math.min(last, first + MAX_MACRO_LINES); line += 1) {
      const body = (lines[line - 1] ?? "").slice(line === first ? head.length : 0, MAX_LINE);
      for (const { 1: name } of body.matchAll(CALL)) {
        if (name === undefined || ownNames.has(name) || KEYWORD.test(name)) continue;
        const own = functions.get(name);
        facts.calls.push({
          from: slot,
          line,
          callee: own === undefined ? [TAG.freeName, name] : [TAG.definition, own],
        });
      }
    }
  }
}

function count(known: Map<string, number>, { entities }: FileFacts, line: number, callee: Expression): void {
  const name = callee[0] === TAG.definition ? (entities[callee[1]]?.name ?? "") : nameIn(callee);
  const key = `${line}:${name}`;
  known.set(key, (known.get(key) ?? 0) + 1);
}

function newlines(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) found += 1;
  return found;
}

/** The smallest definition around a line; -1: the file. */
function innermost(entities: readonly EntityFact[], line: number): number {
  let best = -1;
  let lines = Number.POSITIVE_INFINITY;
  for (const [slot, { first, last }] of entities.entries()) {
    if (first > line || last < line || last - first >= lines) continue;
    best = slot;
    lines = last - first;
  }
  return best;
}
