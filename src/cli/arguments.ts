/** Parses argv into a command's input: first the raw flags, then their values. */
import type * as z from "zod";
import { didYouMean, endedWithQuestion, sameMeaning, unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { issueText } from "../kernel/schema/issue_text.ts";
import type { Command } from "./command.ts";
import { COMMON_FLAGS, type Flag, flagsOf, requiredOf, SHORT_FLAGS } from "./flags.ts";
import { tableRowOf } from "./inputs/input_table.ts";

export interface ParsedArgs {
  input: Record<string, unknown>;
  json: boolean;
  noSync: boolean;
  noPager: boolean;
  help: boolean;
}

/** `common`: flags that the surface takes itself, beside those of the command. */
export function parseArgs(command: Command, argv: readonly string[], common = COMMON_FLAGS): ParsedArgs {
  const flags = tableRowOf(command)?.flags ?? flagsOf(command);
  const raw = readFlags(command, flags, common, argv);
  const input: Record<string, unknown> = {};
  for (const [flag, value] of raw.values) place(input, flag.path, value);
  placePositionals(command, flags, input, raw.positionals);
  return {
    input,
    json: raw.common.has("json"),
    noSync: raw.common.has("no-sync"),
    noPager: raw.common.has("no-pager"),
    help: raw.common.has("help"),
  };
}

interface RawArgs {
  values: Map<Flag, unknown>;
  common: Set<string>;
  positionals: string[];
}

function readFlags(command: Command, own: readonly Flag[], common: readonly Flag[], argv: readonly string[]): RawArgs {
  const flags = [...own, ...common];
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  for (const { negated, ...flag } of flags) {
    const name = flag.name.replace(/^no-/, "");
    if (negated) byName.set(name, { ...flag, name });
  }
  const raw: RawArgs = { values: new Map(), common: new Set(), positionals: [] };
  let list: Flag | undefined;
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] as string;
    if (word === "--") {
      raw.positionals.push(...argv.slice(i + 1));
      break;
    }
    if (!isFlag(word)) {
      // Where no argument can stand, several values may follow a list's flag: `-c one two`.
      const open = command.positionals.length === 0 ? list : undefined;
      if (open) raw.values.set(open, [...asList(raw.values.get(open)), word]);
      else raw.positionals.push(word);
      continue;
    }
    list = undefined;
    const { name, attached } = splitFlag(word);
    const flag = byName.get(name) ?? flags.find(({ aliases }) => aliases?.includes(name));
    if (!flag) throw unknownFlag(command, word, byName.keys(), raw.positionals);
    if (flag.type === "boolean") {
      if (attached !== undefined && attached !== "true" && attached !== "false") {
        throw new DexError("bad_flag", `--${flag.name} takes no value.`, { hint: helpHint(command) });
      }
      if (common.includes(flag)) raw.common.add(flag.name);
      else raw.values.set(flag, (attached !== "false") !== (flag.negated ?? false));
      continue;
    }
    const text = attached ?? argv[i + 1];
    if (text === undefined) {
      throw new DexError("bad_flag", `--${flag.name} needs a value.`, { hint: helpHint(command) });
    }
    if (attached === undefined) i += 1;
    if (flag.type === "list") list = flag;
    raw.values.set(flag, flag.type === "list" ? [...asList(raw.values.get(flag)), text] : toValue(flag, text));
  }
  return raw;
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFlag(word: string): boolean {
  if (word.startsWith("--")) return word.length > 2;
  return /^-[a-zA-Z]/.test(word);
}

function splitFlag(word: string): { name: string; attached: string | undefined } {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const attached = equals < 0 ? undefined : word.slice(equals + 1);
  if (name.startsWith("--")) return { name: name.slice(2), attached };
  return { name: SHORT_FLAGS[name.slice(1)] ?? name.slice(1), attached };
}

function toValue(flag: Flag, text: string): unknown {
  if (flag.type === "number") {
    const value = Number(text.replaceAll("_", ""));
    if (text.trim() === "" || Number.isNaN(value)) {
      throw new DexError("bad_flag", `--${flag.name} takes a number, not "${text}".`);
    }
    return value;
  }
  if (flag.choices.length > 0 && !flag.choices.includes(text)) {
    throw new DexError("bad_flag", endedWithQuestion(`--${flag.name} cannot be "${text}"`, text, flag.choices), {
      hint: `It takes ${flag.choices.join(", ")}.`,
    });
  }
  return text;
}

function place(input: Record<string, unknown>, path: Flag["path"], value: unknown): void {
  const [outer, inner] = path;
  if (inner === undefined) {
    input[outer] = value;
    return;
  }
  const group = input[outer];
  input[outer] = { ...(typeof group === "object" ? group : {}), [inner]: value };
}

function placePositionals(
  command: Command,
  flags: readonly Flag[],
  input: Record<string, unknown>,
  words: readonly string[],
): void {
  const names = command.positionals;
  const rest = [...words];
  for (const [i, name] of names.entries()) {
    if (rest.length === 0) break;
    const flag = flags.find(({ path }) => path[0] === name);
    const last = i === names.length - 1;
    if (flag?.type === "list") {
      input[name] = rest.splice(0);
    } else if (last && names.length === 1) {
      // A query of several words need not be quoted.
      input[name] = rest.splice(0).join(" ");
    } else {
      const word = rest.shift() ?? "";
      input[name] = flag?.type === "number" ? toValue(flag, word) : word;
    }
  }
  if (rest.length === 0) return;
  throw new DexError("bad_usage", `"${rest[0]}" is one argument too many.`, { hint: helpHint(command) });
}

/** Arguments that are text of the user's own, in which a word may begin with a hyphen. */
const TEXT_ARGUMENTS = new Set(["query", "error", "command", "text", "prompt"]);

/** `words`: the words before it. */
function unknownFlag(command: Command, word: string, known: Iterable<string>, words: readonly string[]): DexError {
  const { name } = splitFlag(word);
  const names = [...known];
  const meant = sameMeaning(name, names);
  if (meant !== undefined) {
    const hint = `Did you mean --${meant}?`;
    return new DexError("unknown_flag", `unknown option ${word.split("=")[0]}.`, { hint });
  }
  const isText = words.length > 0 && TEXT_ARGUMENTS.has(command.positionals.at(-1) ?? "");
  const quoted = `If it is part of the text, quote the whole text: \`dex ${command.verb} "${words.join(" ")} ${word}"\`.`;
  // One or two letters are similar to anything.
  return unknownName({
    code: "unknown_flag",
    sentence: `unknown option ${word.split("=")[0]}.`,
    typed: name,
    names: name.length > 2 ? names : [],
    hint: isText ? quoted : helpHint(command),
    show: (meant) => `--${meant}`,
  });
}

/** Describes the first problem of an input in terms of the command line. */
export function inputError(command: Command, error: z.ZodError): DexError {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? "");
  const inner = issue?.path[1];
  const positional = command.positionals.includes(field);
  const missing = issue?.code === "invalid_type" && issue.input === undefined;
  const hint = helpHint(command);
  if (positional && issue?.path.length === 1 && (missing || issue.code === "too_small")) {
    return new DexError("bad_usage", `needs ${nameOf(command, field)}.`, { hint });
  }
  const name = typeof inner === "string" && inner !== "message_index" ? inner : field;
  const path = typeof inner === "string" ? `${field}.${inner}` : field;
  const shown = positional ? `<${field}>` : `--${command.flags?.[path] ?? name.replaceAll("_", "-")}`;
  if (missing && inner !== undefined) return new DexError("bad_usage", `${shown} also needs --${field}.`, { hint });
  if (missing) return new DexError("bad_usage", `needs ${shown}.`, { hint });
  // A rule about several fields has no single field to name.
  const sentence = field === "" ? issueText(issue) : `${shown} ${issueText(issue)}`;
  const meant =
    issue?.code === "invalid_value" && typeof issue.input === "string"
      ? didYouMean(issue.input, issue.values.map(String))
      : undefined;
  return new DexError("bad_input", `${sentence}.`, { hint: meant ?? hint });
}

/** Codes of usage errors. Their message is preceded by the name of the command. */
export const USAGE_CODES: ReadonlySet<string> = new Set(["unknown_flag", "bad_flag", "bad_usage", "bad_input"]);

/** The names of the missing argument and of the required ones after it. */
function nameOf(command: Command, field: string): string {
  const required = new Set(requiredOf(command));
  return command.positionals
    .slice(command.positionals.indexOf(field))
    .filter((name) => name === field || required.has(name))
    .map((name) => `<${name}>`)
    .join(" ");
}

function helpHint(command: Command): string {
  return `\`dex ${command.verb} --help\` shows its options.`;
}
