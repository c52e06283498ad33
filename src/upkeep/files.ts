/**
 * All other files below DEX_HOME: their kinds, how dex recognizes damage, and how a repair fixes it. dex lists unknown
 * files and does not touch them.
 */
import { isUtf8 } from "node:buffer";
import {
  type Dirent,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import type { DexPaths } from "../config/paths.ts";
import { errorMessage, systemCode } from "../kernel/errors.ts";
import { isLeftBehind } from "../kernel/files/atomic_write.ts";
import { isObject, parseJson } from "../kernel/json.ts";
import { acquireLock } from "../kernel/lock.ts";
import { isRunning } from "../kernel/programs.ts";
import { compareText } from "../kernel/text.ts";
import { summarySchema } from "../memory/summary.ts";
import { traceSchema } from "../traces/trace.ts";
import { counted, type Problem, REPAIR, type Repair } from "./problem.ts";

type Remedy =
  /** dex recreates it when it is needed. */
  | "remove"
  /** It holds the user's own decisions, so the damaged file is kept under another name. */
  | "set aside"
  /** Unreadable lines are removed. */
  | "clean";

interface Kind {
  path: RegExp;
  what: string;
  /** Describes the damage; undefined when the content is sound. */
  check?: (bytes: Buffer) => string | undefined;
  remedy?: Remedy;
}

const DATABASE = "(\\.db(-wal|-shm|-journal)?)";

const KINDS: readonly Kind[] = [
  { path: /^config\.yaml(\.lock)?$/, what: "settings" },
  { path: /^trust\.json$/, what: "the list of trusted files", check: notAnObject, remedy: "set aside" },
  { path: /^mcp-token$/, what: "the token of HTTP clients", check: notAToken, remedy: "remove" },
  { path: /^sync-running\.json$/, what: "the mark of a running sync" },
  { path: /^forget-pending\.json$/, what: "the mark of a running `dex forget`" },
  { path: /^(lock|documents-lock)\.db(-journal)?$/, what: "a lock" },
  { path: new RegExp(`^(index|documents|state)${DATABASE}$`), what: "a database" },
  { path: /^(state\.db|trust\.json)\.damaged-\w+$/, what: "a damaged file that was set aside" },
  { path: /^backups\/(state-\w+\.db|lock\.db|forgotten\.json)$/, what: "backups of state.db" },
  { path: new RegExp(`^(code|history)/[0-9a-f]{16}(\\.lock|${DATABASE})$`), what: "a project's database" },
  {
    path: /^team\/(access|try)\.json$/,
    what: "the access to a team's server",
    check: notAnObject,
    remedy: "set aside",
  },
  { path: /^team\/(push|index)\.lock$/, what: "a lock" },
  { path: /^team(-try|-postgres)?\/.+$/, what: "files of a team" },
  { path: /^watch\/[\w.-]+\.(lock|refreshed)$/, what: "a lock" },
  { path: /^archive\/conversations\/.+\.jsonl\.zst(\.damaged)?$/, what: "an archived conversation" },
  { path: /^archive\/documents\/[0-9a-f]{16}\/(collection\.json|contents\/.+)$/, what: "kept documents" },
  { path: /^traces\/\d+\.ndjson$/, what: "traces", check: badTraces, remedy: "clean" },
  { path: /^summaries\/[0-9a-f]{24}\.json$/, what: "a summary", check: notASummary, remedy: "remove" },
  { path: /^workflows\/[^/]+\/[^/]+\.json$/, what: "a result of a workflow", check: notJson, remedy: "remove" },
  { path: /^workflows\/[^/]+\/[^/]+\.md$/, what: "the report of a workflow" },
  { path: /^chat-sessions\//, what: "a chat" },
  { path: /^hooks\.log(\.\d+)?$/, what: "the log of hooks", check: notText, remedy: "clean" },
  { path: /^hooks\.counts$/, what: "the counts of hooks", check: notText, remedy: "clean" },
  { path: /^hooks\.given$/, what: "the counts of facts that hooks gave", check: notText, remedy: "clean" },
  { path: /^agent-folders\.json$/, what: "the folders made for agents", check: notJson, remedy: "remove" },
  { path: /^status\.json$/, what: "the counts for the status line", check: notJson, remedy: "remove" },
  { path: /^ask-history$/, what: "questions typed before", check: notText, remedy: "clean" },
  { path: /^((compile-)?cache|node_modules|models)\//, what: "downloads and compiled code" },
  { path: /^package(-lock)?\.json$/, what: "downloads and compiled code" },
];

/** Files that a killed process left behind: `<name>.<process>.tmp`, and an unfinished database. */
const TEMPORARY = /\.([0-9a-f]{16}|\d+)\.tmp(-wal|-shm|-journal)?$/;
const BUILDING = /^(index|documents)\.db\.new(-wal|-shm|-journal)?$/;
const TEMPORARY_FOLDER = /^dex-(git|read)-/;
const DAY = 86_400_000;
/** Larger files of these kinds are not read completely. */
const MAX_BYTES = 64 << 20;
const MAX_FILES = 1_000_000;

export interface FileFinding {
  path: string;
  what: string;
  /** The problem; `left behind` and `unreadable` concern the file, not its content. */
  found: string;
  remedy: Remedy | undefined;
}

export function examineFiles(paths: DexPaths): { findings: FileFinding[]; unknown: string[] } {
  const findings: FileFinding[] = [];
  const unknown: string[] = [];
  for (const path of filesBelow(paths.home, findings)) {
    const name = relative(paths.home, path).split(sep).join("/");
    const left = leftBehind(paths, path, name);
    if (left !== undefined) {
      if (left) findings.push({ path, what: "a temporary file", found: "left behind", remedy: "remove" });
      continue;
    }
    const kind = KINDS.find((each) => each.path.test(name));
    if (!kind) unknown.push(path);
    else if (kind.check) findings.push(...checkFile(path, kind));
  }
  return { findings: [...findings, ...temporaryFolders()], unknown };
}

function checkFile(path: string, { what, check, remedy }: Kind): FileFinding[] {
  try {
    if (statSync(path).size > MAX_BYTES) return [];
    const found = check?.(readFileSync(path));
    return found === undefined ? [] : [{ path, what, found, remedy }];
  } catch (error) {
    return [{ path, what, found: `unreadable (${systemCode(error) ?? errorMessage(error)})`, remedy: undefined }];
  }
}

/** Undefined: not a temporary file; false: its process is still running. */
function leftBehind(paths: DexPaths, path: string, name: string): boolean | undefined {
  const [, writer] = TEMPORARY.exec(name) ?? [];
  if (writer !== undefined)
    return /^\d{1,10}$/.test(writer)
      ? Number(writer) === process.pid || !isRunning(Number(writer))
      : isLeftBehind(path, Date.now());
  if (!BUILDING.test(name)) return undefined;
  const lock = acquireLock(name.startsWith("index") ? paths.lock : paths.documentLock, 0);
  lock?.release();
  return lock !== undefined && statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** This user's dex folders in the system's temporary folder that were not modified for a day. */
function temporaryFolders(): FileFinding[] {
  const own = process.getuid?.();
  let names: string[];
  try {
    names = readdirSync(tmpdir()).filter((name) => TEMPORARY_FOLDER.test(name));
  } catch {
    return [];
  }
  return names.sort(compareText).flatMap((name) => {
    const path = join(tmpdir(), name);
    const stats = statSync(path, { throwIfNoEntry: false });
    const old = stats?.isDirectory() && stats.uid === own && Date.now() - stats.mtimeMs > DAY;
    return old ? [{ path, what: "a temporary folder", found: "left behind", remedy: "remove" as const }] : [];
  });
}

export function fileProblems(findings: readonly FileFinding[]): Problem[] {
  const groups = new Map<string, FileFinding[]>();
  for (const finding of findings) {
    const { found, what } = finding;
    const group = found === "left behind" ? "left_behind" : found.startsWith("unreadable") ? "unreadable" : what;
    groups.set(group, [...(groups.get(group) ?? []), finding]);
  }
  return [...groups].map(([group, found]): Problem => {
    const [first] = found as [FileFinding, ...FileFinding[]];
    const names = found.map(({ path }) => path);
    if (group === "left_behind") {
      const what = `Killed processes left files behind: ${counted(names, "file")}.`;
      return { code: "left_behind", what, path: first.path, fix: REPAIR };
    }
    if (group === "unreadable") {
      const what = `dex may not read some of its files: ${counted(names, "file")}.`;
      return { code: "file_unreadable", what, path: first.path, fix: `chmod -R u+rwX ${JSON.stringify(first.path)}` };
    }
    const what = `Damaged: ${counted(names, "file")}, ${first.what}: ${first.found}.`;
    return { code: "file_damaged", what, path: first.path, fix: REPAIR };
  });
}

export function repairFiles(paths: DexPaths, findings: readonly FileFinding[]): Repair {
  const done: Repair = { fixed: [], lost: [] };
  for (const { path, what, remedy } of findings) {
    if (remedy === "remove") {
      rmSync(path, { force: true, recursive: true });
      done.fixed.push(`Removed ${path}, ${what}.`);
    } else if (remedy === "set aside") {
      const aside = `${path}.damaged-${Date.now()}`;
      renameSync(path, aside);
      done.fixed.push(`Kept the damaged ${path} as ${aside}.`);
      if (path === paths.trust) done.lost.push(`${what}: run \`dex trust\` again where it is wanted.`);
    } else if (remedy === "clean") {
      const kept = cleanLines(path, what);
      done.fixed.push(`Removed the lines of ${path} that could not be read; ${kept} are left.`);
    }
  }
  return done;
}

function cleanLines(path: string, what: string): number {
  const lines = readFileSync(path, "utf8").split("\n");
  const good = lines.filter(
    (line) => line !== "" && (what === "traces" ? isTrace(line) : notText(Buffer.from(line)) === undefined),
  );
  if (good.length === 0) truncateSync(path, 0);
  else writeFileSync(path, `${good.join("\n")}\n`);
  return good.length;
}

/** Lists links without following them; an unreadable folder is a finding. */
function* filesBelow(folder: string, findings: FileFinding[], count = { left: MAX_FILES }): Generator<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    const found = `unreadable (${systemCode(error) ?? errorMessage(error)})`;
    findings.push({ path: folder, what: "a folder", found, remedy: undefined });
    return;
  }
  for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
    const path = join(folder, entry.name);
    count.left -= 1;
    if (count.left < 0) return;
    if (!entry.isDirectory()) yield path;
    else if (!/^(node_modules|cache|compile-cache)$/.test(entry.name)) yield* filesBelow(path, findings, count);
  }
}

function notAnObject(bytes: Buffer): string | undefined {
  return isObject(parseJson(bytes.toString("utf8"))) ? undefined : "it is not a JSON object";
}

function notJson(bytes: Buffer): string | undefined {
  return parseJson(bytes.toString("utf8")) === undefined ? "it is not JSON" : undefined;
}

/** One of another version of dex is not damaged: `dex compact` makes it again. */
function notASummary(bytes: Buffer): string | undefined {
  const summary = parseJson(bytes.toString("utf8"));
  const { version } = summarySchema.shape;
  const isOfOtherVersion = isObject(summary) && Number.isInteger(summary.version) && summary.version !== version.value;
  return isOfOtherVersion || summarySchema.safeParse(summary).success ? undefined : "it is not a summary";
}

function notAToken(bytes: Buffer): string | undefined {
  return /^[\w-]{20,}$/.test(bytes.toString("utf8").trim()) ? undefined : "it does not hold a valid token";
}

function notText(bytes: Buffer): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes) ? "it is not text" : undefined;
}

function badTraces(bytes: Buffer): string | undefined {
  const lines = bytes.toString("utf8").split("\n");
  const bad = lines.filter((line) => line !== "" && !isTrace(line)).length;
  return bad === 0 ? undefined : `${bad} of its rows cannot be read`;
}

function isTrace(line: string): boolean {
  return traceSchema.safeParse(parseJson(line)).success;
}
