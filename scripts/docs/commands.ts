/** Checks commands that texts tell people and agents to type: the verb and each of its flags must exist. */
import type { Command } from "../../src/cli/command.ts";
import { COMMON_FLAGS, flagsOf, PROGRAM_FLAGS, SHORT_FLAGS } from "../../src/cli/flags.ts";
import { PROGRAMS } from "../../src/cli/programs/registry.ts";
import { OPERATIONS, VERB_ALIASES } from "../../src/operations/registry.ts";

/** Commands by the name that people type. */
export type Verbs = ReadonlyMap<string, Command>;

export async function loadVerbs(): Promise<Verbs> {
  // A program comes after the operation of the same name, because people run the program.
  const loaders = [...Object.entries(OPERATIONS), ...Object.entries(PROGRAMS)];
  const verbs = new Map(await Promise.all(loaders.map(async ([verb, load]) => [verb, await load()] as const)));
  for (const [alias, verb] of Object.entries(VERB_ALIASES)) {
    const command = verbs.get(verb);
    if (command) verbs.set(alias, command);
  }
  return verbs;
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
export function commandProblem(line: string, verbs: Verbs): string | undefined {
  const words = wordsOf(line).slice(1);
  const first = words[0] ?? "";
  if (first === "" || first === "help" || first.startsWith("-") || isPlaceholder(first)) return undefined;
  const verb = [words.slice(0, 2).join(" "), first].find((each) => verbs.has(each));
  if (verb === undefined) {
    const isFamily = words.length === 1 && [...verbs.keys()].some((each) => each.startsWith(`${first} `));
    return isFamily ? undefined : "is not a command";
  }
  const command = verbs.get(verb);
  return command && wordsProblem(command, words.slice(verb.split(" ").length));
}

function wordsProblem(command: Command, words: readonly string[]): string | undefined {
  const flags = [...flagsOf(command), ...(Object.hasOwn(PROGRAMS, command.verb) ? PROGRAM_FLAGS : COMMON_FLAGS)];
  let positionals = 0;
  let takesMore = false;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    if (!isFlag(word)) {
      // Without positionals, a list such as `-c one two` takes all the words that follow it.
      if (!takesMore) positionals += 1;
      continue;
    }
    const [typed = "", attached] = word.split("=");
    const name = typed.startsWith("--") ? typed.slice(2) : (SHORT_FLAGS[typed.slice(1)] ?? typed);
    const flag = flags.find((each) => each.name === name);
    if (!flag) return `has no ${typed}`;
    takesMore = flag.type === "list" && command.positionals.length === 0;
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
  return positionals > 0 && command.positionals.length === 0 ? "takes no arguments" : undefined;
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
