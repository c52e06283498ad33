/** Finds commands by words that a person uses for them: "run the tests" for `npm run test:unit` or `go test ./...`. */
import { stem } from "../../../text/terms/forms.ts";

/** Words of a request that are not about the command. */
const FILLERS = new Set(
  "a all an and can command do does execute for how i in it my of on our project run running start the this to we with you".split(
    " ",
  ),
);
/** Programs whose arguments name the things they read. */
const READERS = new Set("awk cat cd echo find grep head less ls rg sed tail wc which".split(" "));
/** The most words at the beginning of a command that tell what it does. */
const MAX_LEAD_WORDS = 5;
/** A shorter word occurs inside longer ones by chance. */
const MIN_INNER_CHARS = 4;
const QUOTED = /"(?:[^"\\]|\\.)*"?|'[^']*'?/g;

/** The roots of the words that matter; empty if none does. */
export function requestWords(request: string): string[] {
  const words = request.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !FILLERS.has(word)).map(rootOf))];
}

/** Whether the program, its subcommands and its flags have all of the words; `command`: without variables before it. */
export function hasWords(command: string, words: readonly string[]): boolean {
  const lead = leadOf(command.toLowerCase());
  const parts = new Set(lead.match(/[\p{L}\p{N}]+/gu) ?? []);
  return words.every((word) => parts.has(word) || (word.length >= MIN_INNER_CHARS && lead.includes(word)));
}

function leadOf(command: string): string {
  const [program = "", ...rest] = command.replace(QUOTED, "").split(" ");
  if (READERS.has(program)) return program;
  const named = rest.filter((word) => /^[\w:.@-]+$/.test(word) && !/^-?\d/.test(word));
  return [program, ...named.slice(0, MAX_LEAD_WORDS - 1)].join(" ");
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
