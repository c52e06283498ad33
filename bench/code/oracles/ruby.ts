/**
 * Calls of a Ruby project as the reference for scores: those that a run of one of its programs, such as its tests, really
 * makes. A line that the run did not reach decides nothing.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Gold, GoldCall } from "../score.ts";
import { type RecordedCall, recordedCalls } from "./recorded.ts";

const MAX_MACRO_LINES = 20;
const SUPER = /(?<![.\w])super\b/;

type Target = NonNullable<RecordedCall["target"]>;

/** `command` runs in the folder; its parts are separated by spaces. */
export function rubyGold(folder: string, files: readonly string[], command: string): Gold {
  const known = new Set(files);
  const texts = new Map(files.map((path) => [path, readFileSync(join(folder, path), "utf8").split("\n")]));
  const textAt = (path: string, line: number): string => texts.get(path)?.[line - 1] ?? "";
  const calls = recordedCalls(folder, command, { RUBYOPT: `-r${join(import.meta.dirname, "ruby_calls.rb")}` })
    .filter(({ path }) => known.has(path))
    .map((call) => ({ ...call, target: call.target && atSymbol(atClass(call.target, texts), texts) }));
  const seen = new Set(calls.map(({ path, line, name }) => `${path}:${line}:${name}`));
  const overridden = overriddenMethods(texts);
  const found = new Map<string, GoldCall & { targets: Target[] }>();
  for (const { path, line, name, target } of calls) {
    // `super` in `def self.new` calls the `new` of another class.
    const isSuper = target?.name === "new" && SUPER.test(textAt(path, line));
    if (!target || !(isSuper || isWritten(textAt(path, line), name))) continue;
    if (!isDefined(textAt(target.path, target.line), target.name)) continue;
    // `new` leads to the class, or to its constructor.
    const key = `${path}:${line}:${name === "initialize" ? "new" : name}`;
    const call = found.get(key) ?? { path, line, targets: [] };
    if (target.name === "initialize") call.targets.push(...classAround(target, texts));
    call.targets.push(target, ...(/^[A-Z]\w*$/.test(target.name) ? reopened(target.name, texts) : overridden(target)));
    found.set(key, call);
  }
  return {
    calls: [...found.values()],
    imports: new Set(),
    decided: (path, line, name) => {
      // Operators are left out on both sides.
      if (!/^\w/.test(name)) return false;
      const called = /^[A-Z]/.test(name) || name === "initialize" ? "new" : name;
      return seen.has(`${path}:${line}:${called}`);
    },
  };
}

/** Operators and calls that no text names (`method_missing`, conversions) are left out. */
function isWritten(text: string, name: string): boolean {
  if (name === "new" || name === "initialize") return /\bnew\b/.test(text);
  if (/^\w+[?!=]?$/.test(name) && SUPER.test(text)) return true;
  if (/^\w+=$/.test(name)) return new RegExp(`(\\.|::)${name.slice(0, -1)}\\s*(\\|\\||&&|[-+*/])?=[^=~]`).test(text);
  // `list.each(&:run)`
  if (/^\w+[?!]?$/.test(name) && new RegExp(`&:${escaped(name)}(?![\\w?!])`).test(text)) return true;
  return (
    /^\w+[?!]?$/.test(name) && new RegExp(`(?<![\\w@$]|(?<!:):)${escaped(name)}(?![\\w?!:]|\\s*=[^=~>])`).test(text)
  );
}

/** The class of a constructor: the last one that begins above it. */
function classAround({ path, line }: { path: string; line: number }, texts: ReadonlyMap<string, readonly string[]>) {
  const above = texts.get(path)?.slice(0, line) ?? [];
  const name = /^\s*class\s+(?:\w+::)*(\w+)/.exec(above.findLast((text) => /^\s*class\s+\w/.test(text)) ?? "")?.[1];
  return name === undefined ? [] : [{ path, line, name }, ...reopened(name, texts)];
}

/** The methods of superclasses and included modules that a method overrides: what a reader of the call would name. */
function overriddenMethods(texts: ReadonlyMap<string, readonly string[]>) {
  const bases = new Map<string, Set<string>>();
  const methods = new Map<string, { path: string; line: number; name: string; owner: string }[]>();
  for (const [path, lines] of texts) {
    const around: { indent: number; name: string }[] = [];
    const leave = (indent: number): void => {
      while (around.length > 0 && (around.at(-1)?.indent ?? 0) >= indent) around.pop();
    };
    for (const [at, text] of lines.entries()) {
      const [, space = "", name, base] =
        /^(\s*)(?:class|module)\s+(?:\w*::)*(\w+)(?:\s*<\s*(?:\w*::)*(\w+))?/.exec(text) ?? [];
      if (name !== undefined) {
        leave(space.length);
        around.push({ indent: space.length, name });
      }
      const mixed = /^\s*(?:include|extend|prepend)[\s(]+(?:\w*::)*([A-Z]\w*)/.exec(text)?.[1];
      const own = around.at(-1)?.name ?? "";
      for (const each of [base, mixed]) if (each !== undefined) bases.set(own, (bases.get(own) ?? new Set()).add(each));
      const [, before = "", method] = /^(\s*)(?:\w+\s+)?def\s+(?:\w+(?:\.|::))?(\w+[?!=]?)/.exec(text) ?? [];
      if (method === undefined) continue;
      leave(before.length);
      const owner = around.at(-1)?.name ?? "";
      methods.set(method, [...(methods.get(method) ?? []), { path, line: at + 1, name: method, owner }]);
    }
  }
  return ({ path, line, name }: Target): Target[] => {
    const same = methods.get(name) ?? [];
    const owner = same.find((each) => each.path === path && each.line === line)?.owner ?? "";
    const above = new Set(bases.get(owner));
    for (const each of above) for (const next of bases.get(each) ?? []) above.add(next);
    return same.filter((each) => above.has(each.owner) && (each.path !== path || each.line !== line));
  };
}

/** Every place that may add to a class. */
function reopened(name: string, texts: ReadonlyMap<string, readonly string[]>): Target[] {
  const opens = new RegExp(`^\\s*(class|module)\\s+([\\w:]*::)?${name}\\b`);
  return [...texts].flatMap(([path, lines]) =>
    lines.flatMap((text, at) => (opens.test(text) ? [{ path, line: at + 1, name }] : [])),
  );
}

/** Ruby sometimes gives a line inside a class as the place of the class. */
function atClass(target: Target, texts: ReadonlyMap<string, readonly string[]>) {
  if (!/^[A-Z]\w*$/.test(target.name)) return target;
  const lines = texts.get(target.path) ?? [];
  if (isDefined(lines[target.line - 1] ?? "", target.name)) return target;
  const opens = new RegExp(`^\\s*(class|module)\\s+([\\w:]*::)?${target.name}\\b`);
  const at = lines.slice(0, target.line).findLastIndex((text) => opens.test(text));
  return at < 0 ? target : { ...target, line: at + 1 };
}

/** A macro may name the fields it makes methods for on several lines. */
function atSymbol(target: Target, texts: ReadonlyMap<string, readonly string[]>) {
  const lines = texts.get(target.path)?.slice(target.line - 1, target.line + MAX_MACRO_LINES) ?? [];
  const [, first] = /^\s*alias(?:_method)?[\s(]+:?[\w?!]+,?\s+:?([\w?!]+)/.exec(lines[0] ?? "") ?? [];
  if (first !== undefined) return aliased(target, first, texts);
  if (!/\battr|\bStruct\b/.test(lines[0] ?? "")) return target;
  const at = lines.findIndex((text) => namesSymbol(text, target.name));
  return at < 0 ? target : { ...target, line: target.line + at };
}

/** A second name stands for the method that has the first one. */
function aliased({ path, line }: Target, name: string, texts: ReadonlyMap<string, readonly string[]>): Target {
  const above = texts.get(path)?.slice(0, line - 1) ?? [];
  const at = above.findLastIndex((text) => isDefined(text, name));
  return { path, line: at < 0 ? line : at + 1, name };
}

function namesSymbol(text: string, name: string): boolean {
  return new RegExp(`:${name.replace(/=$/, "")}(?![\\w?!])`).test(text);
}

/** A method that any other macro makes has no definition in the text. */
function isDefined(text: string, name: string): boolean {
  // A program may define methods of any name.
  if (!/^\w+[?!=]?$/.test(name)) return false;
  if (/^[a-z_]/.test(name) && namesSymbol(text, name)) return true;
  return new RegExp(/^[A-Z]/.test(name) ? `\\b${name}\\b` : `\\bdef\\s+(\\w+(\\.|::))?${escaped(name)}`).test(text);
}

function escaped(name: string): string {
  return name.replaceAll(/[?!]/g, "\\$&");
}
