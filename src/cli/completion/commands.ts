/** The words and flags of each command, derived from the schemas of operations and the usage of programs. */
import { AGENTS } from "../../agents/registry.ts";
import { HOSTS } from "../../memory/hosts.ts";
import type { Operation } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/registry.ts";
import { SOURCES } from "../../sources/registry.ts";
import { COMMON_FLAGS, type Flag, flagsOf, SHORT_FLAGS } from "../flags.ts";
import { PROGRAMS, type Program } from "../programs.ts";
import type { QueriedValues } from "./values.ts";

/** The values of an option or an argument. */
export type Values =
  | { kind: "any" }
  | { kind: "files" }
  | { kind: "words"; words: readonly string[] }
  /** Values in the index, which the shell queries from dex. */
  | { kind: "ask"; what: QueriedValues };

export interface Option {
  /** With its dashes; the long name first. */
  names: string[];
  description: string;
  /** Undefined when it takes no value. */
  values: Values | undefined;
}

export interface Command {
  /** One word, or two. */
  verb: string;
  summary: string;
  options: Option[];
  /** The values of the arguments, in order; the last argument may be repeated. */
  positionals: Values[];
}

const ANY: Values = { kind: "any" };
const FILES: Values = { kind: "files" };
const words = (list: readonly string[]): Values => ({ kind: "words", words: list });
const ask = (what: QueriedValues): Values => ({ kind: "ask", what });

/** By the name of an input field. A name has the same meaning in every verb, except for the following exceptions. */
const BY_FIELD: Readonly<Record<string, Values>> = {
  project: ask("projects"),
  source: words(SOURCES.map(({ id }) => id)),
  agents: words(AGENTS.map(({ id }) => id)),
  to: words(HOSTS.map(({ id }) => id)),
  id: ask("conversations"),
  ids: ask("conversations"),
  session: ask("conversations"),
  collections: ask("collections"),
  collection: ask("collections"),
  file: FILES,
  files: FILES,
  folder: FILES,
  path: FILES,
  output: FILES,
  home: FILES,
};

/** Fields with another meaning, by `verb field`. */
const EXCEPTIONS: Readonly<Record<string, Values>> = {
  "list to": ANY,
  "docs add source": FILES,
  "docs add name": ANY,
  "docs remove names": ask("collections"),
  "docs sync names": ask("collections"),
};

/** Verbs whose `to` is an agent; in all others it is a date. */
const TO_IS_AGENT = new Set(["handoff"]);
/** Verbs whose `id` is a conversation; in all others it is a decision, a pin, a subscription, … */
const ID_IS_CONVERSATION = new Set([
  "show",
  "scan",
  "read",
  "export",
  "forget",
  "compact",
  "handoff",
  "resume",
  "timeline",
  "get",
  "batch plan",
]);

export async function allCommands(): Promise<Command[]> {
  const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()));
  const programs = Object.entries(PROGRAMS).map(([verb, program]) => programCommand(verb, program));
  const named = new Set(programs.map(({ verb }) => verb));
  const verbs = [...programs, ...operations.filter(({ verb }) => !named.has(verb)).map(operationCommand)];
  const first = [...new Set(verbs.map(({ verb }) => verb.split(" ")[0] ?? ""))];
  const help: Command = {
    verb: "help",
    summary: "Show all commands, or one",
    options: [],
    positionals: [words(first)],
  };
  return [...verbs, help].sort((a, b) => (a.verb < b.verb ? -1 : 1));
}

function operationCommand(operation: Operation): Command {
  const flags = flagsOf(operation);
  const isPositional = ({ path }: Flag): boolean => path.length === 1 && operation.positionals.includes(path[0]);
  return {
    verb: operation.verb,
    summary: operation.summary,
    options: [...flags.filter((flag) => !isPositional(flag)), ...COMMON_FLAGS].map((flag) => ({
      names: namesOf(flag.name),
      description: flag.description,
      values: flag.type === "boolean" ? undefined : valuesOf(operation.verb, flag),
    })),
    positionals: operation.positionals.map((name) => {
      const flag = flags.find(({ path }) => path[0] === name);
      return flag ? valuesOf(operation.verb, flag) : ANY;
    }),
  };
}

function valuesOf(verb: string, flag: Flag): Values {
  if (flag.choices.length > 0) return words(flag.choices);
  const field = flag.path[0];
  const exception = EXCEPTIONS[`${verb} ${field}`];
  if (exception) return exception;
  if (flag.type === "number") return ANY;
  if (field === "to" && !TO_IS_AGENT.has(verb)) return ANY;
  if ((field === "id" || field === "ids") && !ID_IS_CONVERSATION.has(verb)) return ANY;
  return BY_FIELD[field] ?? ANY;
}

function namesOf(name: string): string[] {
  const short = Object.entries(SHORT_FLAGS).find(([, long]) => long === name)?.[0];
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

/** A line of a program's usage: `  -c, --collections NAME…  Only these`. */
const USAGE_LINE = /^ {2}(?:-(?<short>\w), )?--(?<name>[a-z][a-z-]*)(?<value> \S+)? {2,}(?<text>.+)$/;
const PROGRAM_ARGUMENTS: Readonly<Record<string, Values>> = {
  watch: FILES,
  hook: words(["claude", "codex", "gemini", "cursor", "opencode"]),
  completion: words(["bash", "zsh", "fish"]),
};

function programCommand(verb: string, { summary, usage }: Program): Command {
  const options = usage.split("\n").flatMap((line): Option[] => {
    const found = USAGE_LINE.exec(line)?.groups;
    if (!found?.name) return [];
    const names = [`--${found.name}`, ...(found.short ? [`-${found.short}`] : [])];
    const values = found.value === undefined ? undefined : (BY_FIELD[found.name] ?? ANY);
    return [{ names, description: found.text ?? "", values }];
  });
  const help = { names: ["--help", "-h"], description: "Show this help", values: undefined };
  const all = options.some(({ names }) => names.includes("--help")) ? options : [...options, help];
  return { verb, summary, options: all, positionals: [PROGRAM_ARGUMENTS[verb] ?? ANY] };
}
