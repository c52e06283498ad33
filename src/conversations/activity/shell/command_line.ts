/**
 * Splits a command line into the commands that it runs. Quoted text and here-documents belong to the command they are
 * given to. This is not a complete shell: it finds the calls of known commands, and the command that determines the
 * line's exit status.
 */

export interface LineCommand {
  /** As typed, without redirections at its end. */
  text: string;
  /** Its output goes to another command. */
  isPiped: boolean;
  /** The exit status of the line may be that of another command. */
  hidesExit: boolean;
}

const QUOTES = new Set(['"', "'", "`"]);
/** Operators after which the exit status is that of another command. */
const HIDING = new Set(["||", ";", "&"]);
const REDIRECTIONS = /(?:\s+(?:\d|&)?>{1,2}(?:&\d|\s*[^\s&|;]+))+\s*$/;

export function commandsIn(line: string): LineCommand[] {
  const found: LineCommand[] = [];
  // Iterates from the end, because whether a command determines the exit status depends on those after it.
  let hidesExit = false;
  for (const { text, before, after } of split(line).reverse()) {
    const command = withoutBrackets(text).replace(/\s+/g, " ").replace(REDIRECTIONS, "").trim();
    if (command === "") continue;
    hidesExit ||= found.length > 0 && HIDING.has(after);
    found.push({ text: command, isPiped: after === "|", hidesExit: hidesExit || before === "||" });
  }
  return found.reverse();
}

function withoutBrackets(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === ")") end -= 1;
  return text.slice(0, end);
}

interface Piece {
  text: string;
  before: string;
  after: string;
}

function split(line: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let before = "";
  const end = (at: number, after: string, length: number): void => {
    pieces.push({ text: line.slice(start, at), before, after });
    before = after;
    start = at + length;
  };
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (character === "\\") at += 1;
    else if (QUOTES.has(character)) at = closing(line, at, character);
    else if (line.startsWith("<<", at) && line[at + 2] !== "<") at = pastDocument(line, at);
    else if (line.startsWith("&&", at) || line.startsWith("||", at)) {
      end(at, line.slice(at, at + 2), 2);
      at += 1;
    } else if (character === "|") end(at, "|", 1);
    else if (character === ";" || character === "\n") end(at, ";", 1);
    else if (character === "(") end(at, "(", 1);
    else if (character === "&" && line[at - 1] !== ">" && line[at + 1] !== ">") end(at, "&", 1);
  }
  end(line.length, "", 0);
  return pieces;
}

/** The position of the closing quotation mark. */
function closing(line: string, from: number, quote: string): number {
  for (let at = from + 1; at < line.length; at += 1) {
    const document = quote === '"' && line[at] === "$" ? SUBSTITUTED_DOCUMENT.exec(line.slice(at, at + 80)) : null;
    if (document) {
      at = pastDocument(line, at + document[0].length - 2);
      // The line was truncated inside the document.
      if (at >= line.length) return line.length - 1;
    } else if (line[at] === "\\" && quote !== "'") at += 1;
    else if (line[at] === quote) return at;
  }
  // An apostrophe in a comment or a truncated line: it quotes nothing.
  return from;
}

/** A message passed as `"$(cat <<'EOF' …`: quotation marks inside the document close nothing. */
const SUBSTITUTED_DOCUMENT = /^\$\(\s*cat\s+<<(?=-?\s*["']?[A-Za-z_])/;

/** The last position of a here-document. */
function pastDocument(line: string, at: number): number {
  const [opening = "", , tag = ""] = /^<<-?\s*(["']?)([A-Za-z_]\w{0,40})\1/.exec(line.slice(at, at + 60)) ?? [];
  if (tag === "") return at + 1;
  const found = line.indexOf(`\n${tag}`, at + opening.length);
  return found < 0 ? line.length : found + tag.length;
}

/** Wrappers before a command, which do not choose what it does. */
const WRAPPER =
  /^(?:sudo|env|time|nohup|nice(?: -n ?\d+)?|timeout(?: -\S+)* \d+\w?|command|exec|\w+=(?:"[^"]*"|'[^']*'|\S*)) /;
const MAX_WRAPPERS = 20;

/** Without wrappers such as `sudo`, `time` and variables. */
export function bareCommand(command: string): string {
  let bare = command;
  for (let i = 0; i < MAX_WRAPPERS; i += 1) {
    const rest = bare.replace(WRAPPER, "");
    if (rest === bare) break;
    bare = rest;
  }
  return bare;
}

/** Commands that only prepare the others in the line. */
const PREPARING = /^(?:cd|pushd|popd|export|set|source|\.)(?: |$)/;

/** The useful commands of a whole line, as a person pastes it or as dex prints it. */
export function askedFor(line: string): string[] {
  const all = commandsIn(line).map(({ text }) => bareCommand(text));
  const useful = all.filter((command) => !PREPARING.test(command));
  return useful.length > 0 ? useful : all;
}

/** Whether a command begins with the wanted words; wanted options may be anywhere in it. */
export function isCallOf(command: string, wanted: string): boolean {
  const bare = bareCommand(command).toLowerCase();
  const words = wanted.trim().toLowerCase().split(/\s+/);
  const option = words.findIndex((word, i) => i > 0 && word.startsWith("-"));
  const lead = words.slice(0, option < 0 ? undefined : option).join(" ");
  if (bare !== lead && !bare.startsWith(`${lead} `) && !bare.startsWith(`${lead}:`)) return false;
  const rest = option < 0 ? [] : words.slice(option);
  const given = new Set(bare.split(" "));
  return rest.every((word) => given.has(word));
}

const TEMPORARY = /(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\/[^\s"'`;|&)]+|\$\{?TMPDIR\}?[^\s"'`;|&)]*/g;
const LONG_TEXT = /"(?:[^"\\]|\\.){20,}"|'[^']{20,}'/g;

/** A key that is equal for commands which differ only in numbers, ids, temporary paths, redirections and messages. */
export function variantKey(command: string): string {
  return command
    .replace(LONG_TEXT, (text) => (/\s\S+\s/.test(text) ? "<text>" : text))
    .replace(TEMPORARY, "<temporary>")
    .replace(/\s+\d?>{1,2}(?:&\d|\s*[^\s&|;]+)/g, "")
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/g, "<id>")
    .replace(/\d+(?:\.\d+)*/g, "<n>")
    .replace(/\s+/g, " ")
    .trim();
}
