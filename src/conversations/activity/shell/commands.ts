/**
 * Compares runs of the same shell command: the name of a command, whether a run failed, and the line of its output that
 * says why.
 */
import { oneLine } from "../../../kernel/text.ts";
import { clip } from "../../../text/clip.ts";
import type { ToolResultPart } from "../../model.ts";
import { type CallOutcome, outcomeOf } from "../outcome.ts";

/** Commands that only inspect: a non-zero exit because nothing was found is not a failure. */
export const INSPECTING =
  /^(?:cd [^&;|]+ && )?(?:grep|rg|ls|cat|head|tail|find|fd|which|test|diff|sed -n|command -v|git (?:status|diff|log|show|grep))\b/;
/** A pipe that truncates the output; its exit code replaces that of the command. */
export const TRUNCATING_PIPE = /(?:\s+2>&1)?(?:\s*\|\s*(?:head|tail|tee|cat|less)\b[^|;&]*)*\s*$/;
/** A test runner's own summary, for when the exit code is that of a pipe. */
const REPORTS_FAILURES = /\b[1-9]\d* (?:tests? )?fail(?:ed|ing|ures?)?\b/i;
const REPORT_CHARS = 4000;

/** The host did not start the command, or it is still running, so the outcome is unknown. */
const NOT_RUN =
  /requires? approval|permission to use|has been denied|was blocked|not allowed|haven't granted|hook (?:error|denied)|sibling tool call|sandbox\W*denied|running in (?:the )?background|still running|process running with session|timed? ?out after/i;
const EXAMINED_CHARS = 400;

export function wasNotRun({ output }: ToolResultPart): boolean {
  return NOT_RUN.test(output.slice(0, EXAMINED_CHARS));
}

/** Whether the output ends in a summary with failures. */
export function reportsFailures({ output }: ToolResultPart): boolean {
  return REPORTS_FAILURES.test(output.slice(-REPORT_CHARS));
}

/** How a run ended. `isPiped`: the exit code is that of a pipe that only truncates. */
export function runOutcome(result: ToolResultPart, isPiped: boolean): CallOutcome {
  const outcome = outcomeOf(result);
  if (outcome !== "passed" || !isPiped) return outcome;
  return reportsFailures(result) ? "failed" : outcome;
}

const MAX_COMMAND_CHARS = 400;
const MAX_NAME_CHARS = 160;
/** Words before a command that do not change what it does. */
const WRAPPERS = /^(?:(?:timeout(?: -\w+(?: \w+)?)? \d+[smh]?|time|nice(?: -n ?\d+)?|nohup) )+/;
/** Endings that hide the exit code, or send the command to the background. */
const HIDDEN_EXIT = /\|\||;|(?:^|[^&])&$|\$\?/;
/** Programs whose exit code is an answer, that wait for something, or that have nothing to do with the project. */
const NO_RESULT = new Set(
  (
    "grep rg ag ls cat head tail find fd which type test [ diff cmp sed awk wc sort uniq cut tr echo printf pwd cd true " +
    "false sleep kill pkill killall ps pgrep lsof ss netstat stat file du df tree less more jq date env printenv export " +
    "source . set unset history alias man whoami hostname uname id curl wget ping dig nslookup ssh scp open code exit " +
    "mkdir rm cp mv touch chmod ln"
  ).split(" "),
);
const QUESTIONS =
  /^(?:git (?:-C \S+ |-\S+ )*(?:status|diff|log|show|grep|branch|rev-parse|ls-files|ls-remote|remote|config|blame|stash)|gh (?:api|\w+ (?:view|diff|checks|list|status|watch))|(?:npm|pnpm|yarn) (?:ls|list|view|info|outdated)|docker (?:ps|logs|inspect|images)|kubectl (?:get|describe|logs)|tmux|sqlite3|psql)\b/;

/**
 * The name under which runs of a command are compared: without the project's folder, pipes that only truncate the
 * output, and words such as `time`. Undefined if its exit code says nothing about the command. `roots`: the folders of
 * the project; `folder`: the folder in which it ran.
 */
export function commandName(command: string, roots: readonly string[], folder: string): string | undefined {
  if (command.length > MAX_COMMAND_CHARS || /[\n\r]|<</.test(command.trim())) return undefined;
  let text = oneLine(command);
  for (const root of roots) text = text.replaceAll(`${root}/`, "").replaceAll(root, ".");
  const from = folderIn(roots, folder);
  if (from === undefined) return undefined;
  const { rest, into } = withoutChange(text, from);
  if (rest === undefined) return undefined;
  const name = rest.replace(TRUNCATING_PIPE, "").replace(WRAPPERS, "").trim();
  if (name === "" || name.length > MAX_NAME_CHARS || hidesExit(name)) return undefined;
  const program = name.replace(/^(?:\w+=\S* )+/, "").split(" ")[0] ?? "";
  if (NO_RESULT.has(program) || QUESTIONS.test(name)) return undefined;
  return into === "" ? name : `cd ${into} && ${name}`;
}

/** Whether a command has a name at all, in whatever project and folder it runs. */
export function isRepeatable(command: string): boolean {
  return commandName(command.replace(/^\s*cd (?:"[^"]+"|[^\s;&]+) ?(?:&&|;) ?/, ""), ["/"], "/") !== undefined;
}

/** The exit code of a pipe is that of its last program. */
function hidesExit(name: string): boolean {
  const bare = name.replace(/"[^"]*"|'[^']*'/g, '""');
  return HIDDEN_EXIT.test(bare) || /[^|]\|[^|]/.test(bare);
}

/** The folder relative to the project's root, empty for the root; undefined if it is outside. */
function folderIn(roots: readonly string[], folder: string): string | undefined {
  for (const root of roots) {
    if (folder === root) return "";
    if (folder.startsWith(`${root}/`)) return folder.slice(root.length + 1);
  }
  return undefined;
}

/** Applies a leading `cd`; `rest` is undefined if it leads out of the project. */
function withoutChange(text: string, from: string): { rest?: string; into: string } {
  const [, quoted, bare, rest] = /^cd (?:"([^"]+)"|([^\s;&]+)) ?(?:&&|;) ?(.+)$/.exec(text) ?? [];
  const target = quoted ?? bare;
  if (target === undefined || rest === undefined) return { rest: text, into: from };
  if (/^[/~$]|\.\./.test(target)) return { into: from };
  // The project's own folder is a dot by now.
  const plain = target.replace(/^\.\/|\/$/g, "");
  return { rest, into: plain === "." ? "" : plain };
}

/** Wordings of error reports; the words of the second list also occur in other lines. */
const REPORTS_ERROR =
  /(?:^|[^\w-])(?:error|fatal|panic|\w+Error|\w+Exception)\b(?: TS\d+)?(?:\[\w+\])?:|--- FAIL|\bFAIL\b|\(fail\)|^not ok\b|✗|✘|✖|^E\s|command not found|No such file/;
const SAYS_WHY =
  /\b(?:error|errors|failed|failure|fatal|exception|panic|cannot|can't|could not|not found|no such|undefined|denied|refused|unknown|invalid|unexpected|missing|timed? ?out)\b/i;
/** Totals, warnings, and lines that report no failure. */
const SAYS_NOTHING =
  /^\W*warn|\bwarning\b|^\(pass\)|^ok\b|✓|✔|\b(?:0 (?:errors?|failed|failures?|failing)|no errors?)\b|^(?:exit code|command failed)\b|^npm (?:err|error)!? (?:code|path|command)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with the escape character.
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;
const MAX_OUTPUT_CHARS = 20_000;
const MAX_LINE_CHARS = 160;

/** The first line that reports an error, else the last line with words; undefined if there is none. */
export function errorLine(output: string): string | undefined {
  const lines = boundedOutput(output)
    .replace(ANSI, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /\p{L}{2}/u.test(line) && !/^<\/?[\w-]+>$/.test(line));
  const said = lines.filter((line) => !SAYS_NOTHING.test(line));
  const line = said.find((each) => REPORTS_ERROR.test(each)) ?? said.find((each) => SAYS_WHY.test(each)) ?? said.at(-1);
  return line === undefined ? undefined : clip(line, MAX_LINE_CHARS);
}

function boundedOutput(output: string): string {
  if (output.length <= MAX_OUTPUT_CHARS) return output;
  return `${output.slice(0, MAX_OUTPUT_CHARS / 2)}\n${output.slice(-MAX_OUTPUT_CHARS / 2)}`;
}
