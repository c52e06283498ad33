/** Parses argv into an operation's input: first the raw flags, then their values. */
import type * as z from "zod";
import { DexError } from "../kernel/errors.ts";
import { issueText } from "../kernel/issue_text.ts";
import { nearest } from "../kernel/text.ts";
import type { Operation } from "../operations/operation.ts";
import { COMMON_FLAGS, type Flag, flagsOf, SHORT_FLAGS } from "./flags.ts";

export interface ParsedArgs {
  input: Record<string, unknown>;
  json: boolean;
  noSync: boolean;
  noPager: boolean;
  help: boolean;
}

export function parseArgs(operation: Operation, argv: readonly string[]): ParsedArgs {
  const flags = flagsOf(operation);
  const raw = readFlags(operation, [...flags, ...COMMON_FLAGS], argv);
  const input: Record<string, unknown> = {};
  for (const [flag, value] of raw.values) place(input, flag.path, value);
  placePositionals(operation, flags, input, raw.positionals);
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

function readFlags(operation: Operation, flags: readonly Flag[], argv: readonly string[]): RawArgs {
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  for (const { negated, ...flag } of flags) {
    const name = flag.name.replace(/^no-/, "");
    if (negated) byName.set(name, { ...flag, name });
  }
  const raw: RawArgs = { values: new Map(), common: new Set(), positionals: [] };
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] as string;
    if (word === "--") {
      raw.positionals.push(...argv.slice(i + 1));
      break;
    }
    if (!isFlag(word)) {
      raw.positionals.push(word);
      continue;
    }
    const { name, attached } = splitFlag(word);
    const flag = byName.get(name);
    if (!flag) throw unknownFlag(operation, word, byName.keys());
    if (flag.type === "boolean") {
      if (attached !== undefined && attached !== "true" && attached !== "false") {
        throw new DexError("bad_flag", `--${flag.name} takes no value.`, { hint: helpHint(operation) });
      }
      if (COMMON_FLAGS.includes(flag)) raw.common.add(flag.name);
      else raw.values.set(flag, (attached !== "false") !== (flag.negated ?? false));
      continue;
    }
    const text = attached ?? argv[i + 1];
    if (text === undefined) {
      throw new DexError("bad_flag", `--${flag.name} needs a value.`, { hint: helpHint(operation) });
    }
    if (attached === undefined) i += 1;
    const before = raw.values.get(flag);
    raw.values.set(flag, flag.type === "list" ? [...(Array.isArray(before) ? before : []), text] : toValue(flag, text));
  }
  return raw;
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
    const meant = nearest(text, flag.choices);
    throw new DexError("bad_flag", `--${flag.name} cannot be "${text}"${meant ? `; did you mean ${meant}?` : "."}`, {
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
  operation: Operation,
  flags: readonly Flag[],
  input: Record<string, unknown>,
  words: readonly string[],
): void {
  const names = operation.positionals;
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
  throw new DexError("bad_usage", `"${rest[0]}" is one argument too many.`, { hint: helpHint(operation) });
}

function unknownFlag(operation: Operation, word: string, names: Iterable<string>): DexError {
  const { name } = splitFlag(word);
  // One or two letters are similar to anything.
  const meant = name.length > 2 ? nearest(name, names) : undefined;
  return new DexError("unknown_flag", `unknown option ${word.split("=")[0]}.`, {
    hint: meant ? `Did you mean --${meant}?` : helpHint(operation),
  });
}

/** Describes the first problem of an input in terms of the command line. */
export function inputError(operation: Operation, error: z.ZodError): DexError {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? "");
  const inner = issue?.path[1];
  const positional = operation.positionals.includes(field);
  const missing = issue?.code === "invalid_type" && issue.input === undefined;
  const hint = helpHint(operation);
  if (positional && issue?.path.length === 1 && (missing || issue.code === "too_small")) {
    return new DexError("bad_usage", `needs ${nameOf(operation, field)}.`, { hint });
  }
  const name = typeof inner === "string" && inner !== "message_index" ? inner : field;
  const path = typeof inner === "string" ? `${field}.${inner}` : field;
  const shown = positional ? `<${field}>` : `--${operation.flags?.[path] ?? name.replaceAll("_", "-")}`;
  if (missing && inner !== undefined) return new DexError("bad_usage", `${shown} also needs --${field}.`, { hint });
  if (missing) return new DexError("bad_usage", `needs ${shown}.`, { hint });
  // A rule about several fields has no single field to name.
  const sentence = field === "" ? issueText(issue) : `${shown} ${issueText(issue)}`;
  return new DexError("bad_input", `${sentence}.`, { hint });
}

/** Codes of usage errors. Their message is preceded by the name of the command. */
export const USAGE_CODES: ReadonlySet<string> = new Set(["unknown_flag", "bad_flag", "bad_usage", "bad_input"]);

function nameOf(operation: Operation, field: string): string {
  return operation.positionals
    .slice(operation.positionals.indexOf(field))
    .map((name) => `<${name}>`)
    .join(" ");
}

function helpHint(operation: Operation): string {
  return `\`dex ${operation.verb} --help\` shows its options.`;
}
