/** The words and flags that complete each command, derived from the schemas of operations and programs. */
import { CONNECTABLE_IDS, HANDOFF_TARGETS, HOOK_NAMES, SOURCE_IDS } from "../../integrations/registry.ts";
import { OPERATIONS } from "../../operations/registry.ts";
import type { Command as AnyCommand } from "../command.ts";
import { COMMON_FLAGS, type Flag, flagsOf, PROGRAM_FLAGS, SHORT_FLAGS } from "../flags.ts";
import { SHELLS } from "../programs/completion.ts";
import { PROGRAMS } from "../programs/registry.ts";
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
  source: words(SOURCE_IDS),
  agents: words(CONNECTABLE_IDS),
  to: words(HANDOFF_TARGETS.map(({ id }) => id)),
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
  "hook host": words(HOOK_NAMES),
  "completion shell": words(SHELLS),
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
  "message",
  "batch plan",
]);

export async function allCommands(): Promise<Command[]> {
  const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()));
  const talking = await Promise.all(Object.values(PROGRAMS).map((load) => load()));
  const programs = talking.map((program) => completed(program, PROGRAM_FLAGS, program.hidden));
  const named = new Set(programs.map(({ verb }) => verb));
  const verbs = [
    ...programs,
    ...operations.filter(({ verb }) => !named.has(verb)).map((operation) => completed(operation, COMMON_FLAGS)),
  ];
  const first = [...new Set(verbs.map(({ verb }) => verb.split(" ")[0] ?? ""))];
  const help: Command = {
    verb: "help",
    summary: "Show all commands, or one",
    options: [],
    positionals: [words(first)],
  };
  return [...verbs, help].sort((a, b) => (a.verb < b.verb ? -1 : 1));
}

function completed(command: AnyCommand, common: readonly Flag[], hidden: readonly string[] = []): Command {
  const flags = flagsOf(command).filter(({ path }) => !hidden.includes(path[0]));
  const isPositional = ({ path }: Flag): boolean => path.length === 1 && command.positionals.includes(path[0]);
  return {
    verb: command.verb,
    summary: command.summary,
    options: [...flags.filter((flag) => !isPositional(flag)), ...common].map((flag) => ({
      names: namesOf(flag.name),
      description: flag.description,
      values: flag.type === "boolean" ? undefined : valuesOf(command.verb, flag),
    })),
    positionals: command.positionals.map((name) => {
      const flag = flags.find(({ path }) => path[0] === name);
      return flag ? valuesOf(command.verb, flag) : ANY;
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
