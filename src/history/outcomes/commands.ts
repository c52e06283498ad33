/**
 * Reads a shell command for test results: which runner it starts, in which folder, on which tests, and whether it
 * changes the working tree. A command that is not understood counts as a run of all tests, so that it can only make a
 * result unknown, never invent one.
 */
import { resolvePath } from "../../kernel/files/paths.ts";

export interface TestCommand {
  /** The runner's name as the parsers give it; `command` if a script starts it. */
  runner: string;
  /** The folder it ran in; as written if it is not a plain path. */
  folder: string;
  /** The selected paths, and names after `~`, separated by spaces; null for all tests. */
  scope: string | null;
}

/** `command`: a script or a task runner, which may start any test runner. */
const RUNNERS: readonly (readonly [runner: string, words: string])[] = [
  ["go test", "go test|gotestsum|richgo test"],
  ["cargo test", "cargo (?:\\+\\S+ )?(?:test|nextest run|t)"],
  ["pytest", "pytest|py\\.test|python[\\d.]* -m pytest"],
  ["unittest", "python[\\d.]* -m unittest"],
  ["vitest", "vitest"],
  ["jest", "jest"],
  ["mocha", "mocha"],
  ["bun test", "bun (?:--\\S+ )*test"],
  ["node:test", "node (?:--\\S+ )*--test"],
  ["deno test", "deno test"],
  ["playwright", "playwright test"],
  ["rspec", "rspec"],
  ["phpunit", "phpunit"],
  ["dotnet test", "dotnet test"],
  [
    "command",
    "(?:npm|pnpm|yarn|bun)(?: (?:--?\\S+|-C \\S+|--filter \\S+))*(?: run)?(?: (?:--?\\S+|--filter \\S+))* (?:t|test)(?::[\\w:-]+)?|make(?: -\\S+)* (?:test|check)[\\w-]*|mise (?:run |r )?(?:t|test)(?::[\\w:-]+)?|(?:just|task|rake|mage|invoke|nox|tox|hatch run|poe|moon run|nx|turbo(?: run)?) ?\\S*test\\S*|tox|nox|(?:mvnw?|\\./mvnw)\\b[^;&|]*? (?:test|verify)|(?:gradle|\\./gradlew)\\b[^;&|]*?[tT]est|mix test|swift test|ctest|bazel test|ava|tap",
  ],
];

/**
 * The position of a runner: at the start of a command, after an assignment, or after a program that starts another one.
 */
const BEFORE =
  "(?:^|[;&|(\\n]|\\b(?:then|do|time|exec|xargs|env|nice|sudo|npx|bunx|uv run|poetry run|pipenv run|pnpm exec|yarn|pnpm|bundle exec|vendor/bin/|timeout(?: -\\S+)* \\S+))\\s*(?:(?:--yes|-y|--)\\s+)?(?:\\w+=(?:'[^']*'|\"[^\"]*\"|\\$\\([^)]*\\)|\\$(?!\\()|[^\\s;&|$'\"])*\\s+)*(?:[^\\s;&|]*/)?";
const INVOCATION = new RegExp(
  `${BEFORE}(?:${RUNNERS.map(([, words], i) => `(?<r${i}>${words})`).join("|")})(?=$|[\\s;&|)>'"])`,
);

/** Runs on another machine or file system prove nothing about this working tree. */
const ELSEWHERE = /(?:^|[;&|(\n]\s*)(?:sudo )?(?:wsl|ssh|docker|podman|kubectl|nerdctl|vagrant|lima|limactl|orb)\b/;
const MAX_COMMAND_CHARS = 20_000;
const MAX_SCOPE_CHARS = 500;

/** Undefined if it does not run tests here. */
export function testCommand(given: string, project: string): TestCommand | undefined {
  const command = given.slice(0, MAX_COMMAND_CHARS);
  const match = INVOCATION.exec(command);
  if (!match) return undefined;
  const before = command.slice(0, match.index + match[0].length);
  if (ELSEWHERE.test(before)) return undefined;
  const [runner = "command"] = RUNNERS.find((_, i) => match.groups?.[`r${i}`] !== undefined) ?? [];
  const rest = command.slice(match.index + match[0].length);
  return { runner, folder: folderOf(before, project), scope: INVOCATION.test(rest) ? null : scopeOf(rest) };
}

function folderOf(before: string, project: string): string {
  let folder = project;
  for (const match of before.matchAll(/(?:^|[;&|(\n]\s*)(?:cd|pushd)\s+(?:--\s+)?("[^"]*"|'[^']*'|[^\s;&|)]+)/g)) {
    const to = (match[1] ?? "").replace(/^["']|["']$/g, "");
    // A shell would expand the path, so the result is unknown here.
    if (/[$`~*?]/.test(to)) return to;
    folder = resolvePath(folder, to);
  }
  return folder;
}

/** Options whose value selects tests by name. */
const NAME_OPTION = /^(?:-run|--run|-k|-t|--grep|-g|--filter|--testNamePattern|--test-name-pattern|-E|--only)$/;
/** Options with a value that selects nothing. */
const VALUE_OPTION =
  /^(?:-count|-timeout|-p|-parallel|-tags|-n|-j|--jobs|--reporter|--config|-c|--timeout|--workspace|-w|--prefix|-C|--maxWorkers|--project|-o|-m|--cov|--tb|--durations|-coverprofile|-bench|-benchtime|-exec|--bail|--features|--package|--test-reporter|--test-timeout)$/;
const ALL_TESTS = /^(?:\.|\.\/|\.\.\.|\.\/\.\.\.|all|run|--)$/;

function scopeOf(rest: string): string | null {
  const tokens = rest.match(/(?:"[^"]*"|'[^']*'|[^\s;&|)>"'])+|[;&|)\n>]/g) ?? [];
  const end = tokens.findIndex((token) => /^(?:[;&|)\n>]|\d)$/.test(token));
  const words = end < 0 ? tokens : tokens.slice(0, end);
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [option = "", value] = word.startsWith("-") ? word.split(/=(.*)/s) : [];
    if (option !== "") {
      const next = value ?? words[at + 1] ?? "";
      if (NAME_OPTION.test(option)) found.push(...namesIn(next));
      if (value === undefined && (NAME_OPTION.test(option) || VALUE_OPTION.test(option))) at += 1;
      continue;
    }
    const plain = unquoted(word);
    if (!ALL_TESTS.test(plain)) found.push(plain.replaceAll(/\s+/g, "?"));
  }
  const scope = found.join(" ");
  // A longer selection counts as all tests.
  return scope === "" || scope.length > MAX_SCOPE_CHARS || /[$`]/.test(scope) ? null : scope;
}

function namesIn(pattern: string): string[] {
  return unquoted(pattern)
    .split(/\||\bor\b/)
    .map((part) => part.replaceAll(/[\^$()\\.*?+[\]{}]+/g, " ").trim())
    .filter((part) => part !== "")
    .map((part) => `~${part.replaceAll(/\s+/g, "?")}`);
}

function unquoted(word: string): string {
  return word.replace(/^(["'])(.*)\1$/s, "$2");
}

/** True unless the scope shows that the run was of other tests. */
export function mayInclude(scope: string | null, test: { file: string | null; name: string | null }): boolean {
  if (scope === null) return true;
  const words = scope.split(" ").map((word) => word.replaceAll("?", " "));
  const names = words.filter((word) => word.startsWith("~")).map((word) => word.slice(1).toLowerCase());
  const paths = words.filter((word) => !word.startsWith("~")).map(plainPath);
  const name = (test.name ?? "").toLowerCase();
  if (names.length > 0 && !names.some((each) => includesEither(name, each))) return false;
  if (paths.length === 0 || test.file === null) return true;
  const { file } = test;
  return paths.some((path) => path === "" || file.includes(path) || path.endsWith(`/${file}`) || sameEnd(file, path));
}

/** `./internal/...`, `tests/test_a.py::test_b`, `src/a.test.ts:12` */
function plainPath(word: string): string {
  return word.replace(/^(?:\.\/)+/, "").replace(/(?:::.*|:\d+|\/?\.\.\.|\/?\*.*|\/)$/, "");
}

/** `a/b.test.ts` and `packages/x/a/b.test.ts`: one may be given from another folder. */
function sameEnd(file: string, path: string): boolean {
  return path.endsWith(file) || file.endsWith(path);
}

function includesEither(name: string, part: string): boolean {
  // A filter may be a path of nested names: `TestOpen/empty_file`.
  return part.split(/[/>›]/).some((each) => each.trim() !== "" && name.includes(each.trim())) || part.includes(name);
}

const MOVES_TREE =
  /^\s*(?:\w+=\S*\s+)*(?:git(?:\s+-C\s+\S+)?\s+(?:checkout|switch|stash(?!\s+(?:list|show))|pull|merge(?!-)|rebase|reset|restore|revert|cherry-pick|apply|am|clean|worktree)\b|sed\s(?:.*\s)?-i|perl\s+-\w*i|gofmt\s(?:.*\s)?-w|goimports\s(?:.*\s)?-w|(?:mv|cp|rm|patch|tee|ln)\s|cargo\s+(?:fmt|fix|update)|go\s+(?:generate|get|mod)|black\s|ruff\s+format|(?:\S+\s+)*--(?:fix|write)\b|(?:npm|pnpm|yarn|bun)\s+(?:i|install|add|remove|update|ci)\b)/;
const WRITES_FILE =
  /(?:^|[^2&>-])>>?\s*(?!&|\/dev\/|\/tmp\/|\$)[\w./-]+\.\w+|open\([^)]*,\s*['"][wa]|write_?[tT]ext\(|writeFile/;
const ONLY_TEMPORARY = /\s(?:"?\/(?:private\/)?(?:tmp|var)\/|"?\$\{?(?:TMP|tmp|SCRATCH)|\/dev\/)/;

/**
 * Whether a command changes files of the working tree: `before` if only ahead of its test run, `after` otherwise.
 * Without a test run every change is `after` what came before it.
 */
export function treeChange(given: string): "before" | "after" | undefined {
  const command = given.slice(0, MAX_COMMAND_CHARS);
  const last = lastChange(command);
  if (last === undefined) return undefined;
  const run = INVOCATION.exec(command);
  return run !== null && last < run.index + run[0].length ? "before" : "after";
}

function lastChange(command: string): number | undefined {
  let last: number | undefined;
  for (const { 0: segment, index } of command.matchAll(/[^;&|\n]+/g)) {
    const changes = (MOVES_TREE.test(segment) && !ONLY_TEMPORARY.test(segment)) || WRITES_FILE.test(segment);
    if (changes) last = index;
  }
  return last;
}
