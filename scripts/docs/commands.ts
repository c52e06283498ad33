/** Checks commands that texts tell people and agents to type: the verb and each of its flags must exist. */
import { COMMON_FLAGS, flagsOf, SHORT_FLAGS } from "../../src/cli/flags.ts";
import { PROGRAMS } from "../../src/cli/programs.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { OPERATIONS } from "../../src/operations/registry.ts";

/** Operations by their verb. */
export type Verbs = ReadonlyMap<string, Operation>;

export async function loadVerbs(): Promise<Verbs> {
  const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()));
  return new Map(operations.map((operation) => [operation.verb, operation]));
}

/** The calls of dex in a line of shell, without a prompt or another command in front of them. */
export function callsIn(line: string): string[] {
  const inner = [...line.matchAll(/\$\(([^()]*)\)/g)].flatMap(([, text = ""]) => callsIn(text));
  const outer = partsOf(line.replace(/^\s*\$\s+/, "")).map((part) => part.replace(/^.*?\s--\s+(?=dex\s)/, ""));
  return [...inner, ...outer.filter((part) => /^dex(?:\s|$)/.test(part))];
}

/** Splits a line at pipes, lists, redirections and comments, except inside quotes. */
function partsOf(line: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  for (let i = 0; i < line.length; i += 1) {
    const sign = line[i] ?? "";
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") {
      quote = sign;
    } else if (sign === "#" && /(?:^|\s)$/.test(part)) {
      break;
    } else if (/[|;&]/.test(sign) || (/[<>]/.test(sign) && /\s/.test(line[i + 1] ?? ""))) {
      parts.push(part.trim());
      part = "";
      continue;
    }
    part += sign;
  }
  return [...parts, part.trim()].filter((each) => each !== "");
}

/** The problem with a call of dex, or undefined. */
export function commandProblem(command: string, verbs: Verbs): string | undefined {
  const words = wordsOf(command).slice(1);
  const first = words[0] ?? "";
  if (first === "" || first === "help" || first.startsWith("-") || isPlaceholder(first)) return undefined;
  const verb = [words.slice(0, 2).join(" "), first].find((each) => verbs.has(each) || Object.hasOwn(PROGRAMS, each));
  if (verb === undefined) {
    const isFamily = words.length === 1 && [...verbs.keys()].some((each) => each.startsWith(`${first} `));
    return isFamily ? undefined : "is not a command";
  }
  const rest = words.slice(verb.split(" ").length);
  const program = PROGRAMS[verb];
  const operation = verbs.get(verb);
  if (program) return programProblem(program.usage, rest);
  return operation && operationProblem(operation, rest);
}

function programProblem(usage: string, words: readonly string[]): string | undefined {
  const unknown = words.find((word) => isFlag(word) && !`${usage} --help`.includes(word.split("=")[0] ?? word));
  return unknown && `has no ${unknown}`;
}

function operationProblem(operation: Operation, words: readonly string[]): string | undefined {
  const flags = [...flagsOf(operation), ...COMMON_FLAGS];
  let positionals = 0;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    if (!isFlag(word)) {
      positionals += 1;
      continue;
    }
    const [typed = "", attached] = word.split("=");
    const name = typed.startsWith("--") ? typed.slice(2) : (SHORT_FLAGS[typed.slice(1)] ?? typed);
    const flag = flags.find((each) => each.name === name);
    if (!flag) return `has no ${typed}`;
    if (flag.type === "boolean") continue;
    if (attached === undefined) i += 1;
    const value = attached ?? words[i];
    // A flag that a sentence only mentions has no value to check.
    if (value === undefined || isPlaceholder(value)) continue;
    if (flag.choices.length > 0 && !value.split("|").every((choice) => flag.choices.includes(choice))) {
      return `does not take ${typed} ${value}`;
    }
    if (flag.type === "number" && Number.isNaN(Number(value))) return `wants a number for ${typed}`;
  }
  return positionals > 0 && operation.positionals.length === 0 ? "takes no arguments" : undefined;
}

function isFlag(word: string): boolean {
  return /^--?[a-z]/.test(word);
}

function isPlaceholder(word: string): boolean {
  return /^[<‹].*[>›]?$|^\[|…|^[A-Z]+$/.test(word);
}

/** The words of a command line; quotes may not be nested. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|<[^>]*>|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ""));
}
