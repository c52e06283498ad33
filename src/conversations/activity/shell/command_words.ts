/** Finds commands by words that a person uses for them: "run the tests" for `npm run test:unit` or `go test ./...`. */
import { stem } from "../../../text/terms/forms.ts";

/** A word of a request. */
export interface RequestWord {
  typed: string;
  /** Its root and other names for it: a command has the word if it has one of them. */
  names: readonly string[];
}

/** Words of a request that are not about the command. */
const FILLERS = new Set(
  "a all an and can command do does execute for how i in it my of on our project run running start the this to we with you".split(
    " ",
  ),
);
/** Several words for one thing that commands name with one. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:pull|merge) requests?\b/gu, "pr"],
  [/\btype[ -]check(?:er|ing|s)?\b|\bcheck (?:the )?types\b/gu, "typecheck"],
];
/** Other names for a word, by its root: abbreviations, and programs that do nothing else. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["benchmark", ["bench"]],
  ["depend", ["deps"]],
  ["document", ["docs", "doc"]],
  ["format", ["fmt", "prettier", "black"]],
  ["lint", ["biome", "clippy", "flake8", "ruff", "shellcheck", "vet"]],
  ["open", ["create"]],
  ["pr", ["mr"]],
  ["typecheck", ["mypy", "pyright", "tsc"]],
]);
/** Programs whose arguments name the things they read or compare. */
const READERS = new Set("awk cat cd command echo find grep head less ls rg sed tail type wc which".split(" "));
/** `test -f file` compares, and has nothing to do with tests. */
const COMPARING = new Set(["test", "["]);
/** Programs whose subcommand is this many words long; the words after it are names of things. */
const SUBCOMMAND_WORDS: ReadonlyMap<string, number> = new Map([
  ["git", 1],
  ["gh", 2],
  ["glab", 2],
  ["docker", 2],
  ["kubectl", 2],
]);
/** The most words at the beginning of a command that tell what it does. */
const MAX_LEAD_WORDS = 5;
/** A shorter word occurs inside longer ones by chance. */
const MIN_INNER_CHARS = 4;
/** Words that say little about a command by themselves. */
const WEAK = new Set(["add", "creat", "get", "make", "new", "open", "set", "show", "use"]);
/** They end in a word that they do not mean. */
const NOT_INNER = new Set(["latest", "contest"]);
const QUOTED = /"(?:[^"\\]|\\.)*"?|'[^']*'?/g;

/** The words that matter; empty if none does. */
export function requestWords(request: string): RequestWord[] {
  const text = PHRASES.reduce((all, [pattern, name]) => all.replace(pattern, name), request.toLowerCase());
  const typed = (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !FILLERS.has(word));
  const words = new Map(typed.map((word) => [rootOf(word), word]));
  return [...words].map(([root, word]) => ({ typed: word, names: [root, ...(OTHER_NAMES.get(root) ?? [])] }));
}

/** The word that tells most about the command: the first one, if it is not weak. */
export function mainWord(words: readonly RequestWord[]): RequestWord | undefined {
  return words.find(({ names: [root = ""] }) => !WEAK.has(root));
}

/** Whether the program, its subcommands and its flags have all of the words; `command`: without variables before it. */
export function hasWords(command: string, words: readonly RequestWord[]): boolean {
  const parts = leadOf(command).flatMap((word) => word.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return words.every(({ names }) => names.some((name) => parts.some((part) => isNamed(part, name))));
}

/** `vitest` and `typecheck` name what they end and begin with. */
function isNamed(part: string, name: string): boolean {
  if (part === name) return true;
  if (name.length < MIN_INNER_CHARS || NOT_INNER.has(part)) return false;
  return part.startsWith(name) || (part.includes(name) && rootOf(part).endsWith(name));
}

/** The words at the beginning that tell what the command does, without the versions of packages. */
function leadOf(command: string): string[] {
  const [program = "", ...rest] = command.replace(QUOTED, "").split(" ");
  if (COMPARING.has(program) || program.startsWith("#")) return [];
  if (READERS.has(program)) return [program];
  // A word such as `TestReadsFormat` is the name of a thing.
  const named = rest.filter((word) => /^[\w:.@-]+$/.test(word) && !/^-?\d|[a-z][A-Z]/.test(word));
  const subcommand = SUBCOMMAND_WORDS.get(program);
  const lead =
    subcommand === undefined
      ? named.slice(0, MAX_LEAD_WORDS - 1)
      : named.filter((word) => !word.startsWith("-")).slice(0, subcommand);
  return [program, ...lead].map((word) => word.replace(/(?<=.)@.*$/, ""));
}

const PLACE = /[/\\]|\.\w{1,5}$/;

/** Whether the command names no file, folder or package, and so does the whole of what it is for. */
export function isGeneral(command: string): boolean {
  return command
    .replace(QUOTED, "")
    .split(" ")
    .every((word) => word === "./..." || !PLACE.test(word));
}

/** The part of the word that its stem keeps; the stem itself may end in other letters. */
function rootOf(word: string): string {
  const stemmed = stem(word);
  let length = 0;
  while (length < stemmed.length && stemmed[length] === word[length]) length += 1;
  const root = word.slice(0, Math.max(length, 1));
  // A linter lints, a formatter formats, a server serves.
  const verb = root.replace(/ers?$/, "").replace(/([bdfgklmnprtvz])\1$/, "$1");
  return verb.length >= MIN_INNER_CHARS ? verb : root;
}
