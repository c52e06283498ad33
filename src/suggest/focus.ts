/** What an activity is about: files as the repository names them, definitions, a question, and the session itself. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { mentionsIn } from "../decisions/decision.ts";
import { insidePath, type Repository } from "../history/repository.ts";
import type { TermQuery } from "../ranking/query.ts";
import type { CodeReader, EntityRow } from "../store/code.ts";
import type { HistoryReader } from "../store/history.ts";
import type { ConversationReader } from "../store/ports.ts";
import type { Focus, FocusFile } from "./evidence.ts";
import type { Activity } from "./model.ts";

const MOST_FILES = 8;
const MOST_SYMBOLS = 8;
const MOST_RELATIVES = 500;
/** A file of the last minutes is half as telling as the open one, the one before it a little less. */
const RECENT = 0.5;
const FADING = 0.8;
/** A file that is changed and not committed yet. */
const CHANGED = 0.6;
/** Without a file or a prompt, what is being changed is all there is to go by. */
const CHANGED_ALONE = 0.9;
const LONGEST_PROMPT = 20_000;
const DAY = 86_400_000;
/** Commits that tell what was worked on lately; one of many files tells nothing. */
const MOST_COMMITS = 3;
const SMALL_COMMIT = 20;

export interface FocusSources {
  repository: Repository;
  history: HistoryReader;
  graph: CodeReader | undefined;
  index: ConversationReader;
  changed: readonly string[] | undefined;
  question: TermQuery | undefined;
  now: number;
  recentChangeDays: number;
}

export function focusOf(activity: Activity, sources: FocusSources): Focus {
  const { repository, graph, changed = [] } = sources;
  const inside = (path: string): string | undefined => insidePath(repository, path, activity.folder);
  const files = new Map<string, FocusFile>();
  const add = (path: string | undefined, share: number, how: FocusFile["how"]): void => {
    if (path === undefined) return;
    const known = files.get(path);
    if (!known || known.share < share) files.set(path, { path, share, how });
  };
  const open = activity.file === undefined ? undefined : inside(activity.file);
  add(open, 1, "open");
  const pointed = pointedAt(graph, open, activity);
  const prompt = (activity.prompt ?? "").slice(0, LONGEST_PROMPT);
  const named = prompt === "" ? { files: [], symbols: [] } : mentionsIn(prompt, namesIn(sources, inside));
  for (const path of named.files) add(path, 0.95, "named");
  const symbols = [...pointed];
  for (const name of named.symbols) symbols.push(...definitions(graph, name));
  // A symbol that only one file defines is that file.
  for (const symbol of pointed.length <= 3 ? pointed : []) if (open === undefined) add(symbol.path, 0.9, "open");
  for (const [i, path] of activity.recent.entries()) add(inside(path), RECENT * FADING ** i, "recent");
  const alone = files.size === 0 && symbols.length === 0 && prompt === "";
  for (const path of alone ? changed : []) add(path, CHANGED_ALONE, "changed");
  if (alone && files.size === 0)
    for (const [i, path] of lately(sources).entries()) add(path, RECENT * FADING ** i, "recent");
  const list = [...files.values()].sort((a, b) => b.share - a.share);
  const names = [activity.symbol, ...named.symbols].flatMap((name) => (name === undefined ? [] : [lastPart(name)]));
  return {
    files: list.slice(0, MOST_FILES).map((each) => (changed.includes(each.path) ? raised(each) : each)),
    symbols: distinct(symbols).slice(0, MOST_SYMBOLS),
    names: [...new Set([...names, ...pointed.map(({ name }) => name)])].slice(0, MOST_SYMBOLS),
    question: sources.question,
    own: ownConversations(sources.index, activity.session),
  };
}

/** Without any other sign, the last commits tell what is worked on here: their files, the latest first. */
function lately({ history, now, recentChangeDays }: FocusSources): string[] {
  const since = now - recentChangeDays * DAY;
  const commits = history.recent(MOST_COMMITS).filter(({ time, parents, file_count }) => {
    return time > since && parents < 2 && file_count <= SMALL_COMMIT;
  });
  return [...new Set(commits.flatMap(({ no }) => history.filesOf(no).map(({ path }) => path)))].slice(0, MOST_FILES);
}

/** What is being changed is what the work is about, even if it was opened some files ago. */
function raised(file: FocusFile): FocusFile {
  return { ...file, share: Math.max(file.share, CHANGED) };
}

/** The definition at the cursor, or those of the name. */
function pointedAt(graph: CodeReader | undefined, open: string | undefined, activity: Activity): EntityRow[] {
  const row = graph && open !== undefined ? graph.file(open) : undefined;
  const own = graph && row ? graph.entities(row.no).filter(isDefinition) : [];
  if (activity.symbol !== undefined) {
    const wanted = lastPart(activity.symbol);
    const here = own.filter(({ name }) => name === wanted);
    return here.length > 0 ? here : definitions(graph, activity.symbol);
  }
  if (activity.line === undefined) return [];
  const line = activity.line;
  const around = own.filter(({ first_line, last_line }) => first_line <= line && line <= last_line);
  const inner = around.sort((a, b) => a.last_line - a.first_line - (b.last_line - b.first_line))[0];
  return inner ? [inner] : [];
}

function definitions(graph: CodeReader | undefined, name: string): EntityRow[] {
  if (!graph) return [];
  const found = name.includes(".") ? graph.qualified(name) : graph.named(lastPart(name));
  return found.filter(isDefinition).slice(0, MOST_SYMBOLS);
}

function isDefinition({ kind }: EntityRow): boolean {
  return kind !== "file" && kind !== "test";
}

function lastPart(name: string): string {
  return name.split(/[.#:]+/).at(-1) ?? name;
}

function distinct(symbols: readonly EntityRow[]): EntityRow[] {
  return [...new Map(symbols.map((each) => [each.no, each])).values()];
}

/** What a prompt names counts only when the project has it. */
function namesIn(sources: FocusSources, inside: (path: string) => string | undefined) {
  const { repository, history, graph } = sources;
  return {
    file: (name: string): string | undefined => {
      const path = inside(name);
      if (path !== undefined && (graph?.file(path) || history.countOf(path) > 0)) return path;
      if (path !== undefined && name.includes("/") && existsSync(join(repository.root, path))) return path;
      if (name.startsWith("/")) return undefined;
      const end = name.replace(/^\.\//, "");
      const like = graph ? graph.filesEnding(end).map((file) => file.path) : history.pathsLike(end, 2);
      return like.length === 1 ? like[0] : undefined;
    },
    symbol: (name: string): boolean => graph?.named(name).some(isDefinition) ?? false,
  };
}

/** The session, what it was started from, and all that those started: they know what they did themselves. */
function ownConversations(index: ConversationReader, session: string | undefined): Set<number> {
  const own = new Set<number>();
  if (session === undefined || session === "") return own;
  const [source, id] = /^([a-z_]+):(.+)$/.exec(session)?.slice(1) ?? [undefined, session];
  const waiting = index.byPrefix(id ?? session, source, 2).filter((row) => row.id === id);
  while (waiting.length > 0 && own.size < MOST_RELATIVES) {
    const row = waiting.pop();
    if (!row || own.has(row.no)) continue;
    own.add(row.no);
    if (row.parent !== null)
      waiting.push(...index.byPrefix(row.parent, row.source, 2).filter((each) => each.id === row.parent));
    waiting.push(...index.children(row.id).filter((each) => each.source === row.source));
  }
  return own;
}
