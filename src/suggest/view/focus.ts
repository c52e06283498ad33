/** Resolves an activity to what it is about: repository files, definitions, a query, and the session's conversations. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { mentionsIn } from "../../decisions/decision.ts";
import { insidePath, type Repository } from "../../history/repository.ts";
import type { TermQuery } from "../../ranking/query.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { ConversationReader } from "../../store/ports.ts";
import type { Focus, FocusFile } from "../evidence.ts";
import type { Activity } from "../model.ts";

const MAX_FILES = 8;
const MAX_SYMBOLS = 8;
const MAX_RELATIVES = 500;
/** A recent file has half the share of the open one; older ones have slightly less each. */
const RECENT_SHARE = 0.5;
const RECENT_DECAY = 0.8;
/** The share of a file with uncommitted changes. */
const CHANGED_SHARE = 0.6;
/** The same without an open file and a prompt, when changes are the only evidence. */
const CHANGED_ONLY_SHARE = 0.9;
const MAX_PROMPT_CHARS = 20_000;
const DAY = 86_400_000;
/** So many commits count as recent work; a commit of many files does not. */
const MAX_COMMITS = 3;
const MAX_COMMIT_FILES = 20;

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
  const prompt = (activity.prompt ?? "").slice(0, MAX_PROMPT_CHARS);
  const named = prompt === "" ? { files: [], symbols: [] } : mentionsIn(prompt, namesIn(sources, inside));
  for (const path of named.files) add(path, 0.95, "named");
  const symbols = [...pointed];
  for (const name of named.symbols) symbols.push(...definitions(graph, name));
  // A symbol that few files define stands for those files.
  for (const symbol of pointed.length <= 3 ? pointed : []) if (open === undefined) add(symbol.path, 0.9, "open");
  for (const [i, path] of activity.recent.entries()) add(inside(path), RECENT_SHARE * RECENT_DECAY ** i, "recent");
  const noOtherSign = files.size === 0 && symbols.length === 0 && prompt === "";
  for (const path of noOtherSign ? changed : []) add(path, CHANGED_ONLY_SHARE, "changed");
  if (noOtherSign && files.size === 0)
    for (const [i, path] of recentlyCommitted(sources).entries())
      add(path, RECENT_SHARE * RECENT_DECAY ** i, "committed");
  const list = [...files.values()].sort((a, b) => b.share - a.share);
  const names = [activity.symbol, ...named.symbols].flatMap((name) => (name === undefined ? [] : [lastPart(name)]));
  return {
    files: list.slice(0, MAX_FILES).map((each) => (changed.includes(each.path) ? raised(each) : each)),
    symbols: distinct(symbols).slice(0, MAX_SYMBOLS),
    names: [...new Set([...names, ...pointed.map(({ name }) => name)])].slice(0, MAX_SYMBOLS),
    question: sources.question,
    own: ownConversations(sources.index, activity.session),
  };
}

/** Files of the last commits, the latest first: the fallback when nothing else shows what the work is about. */
function recentlyCommitted({ history, now, recentChangeDays }: FocusSources): string[] {
  const since = now - recentChangeDays * DAY;
  const commits = history.recent(MAX_COMMITS).filter(({ time, parents, file_count }) => {
    return time > since && parents < 2 && file_count <= MAX_COMMIT_FILES;
  });
  return [...new Set(commits.flatMap(({ no }) => history.filesOf(no).map(({ path }) => path)))].slice(0, MAX_FILES);
}

/** Raises the share of a changed file, which may have been opened some files ago. */
function raised(file: FocusFile): FocusFile {
  return { ...file, share: Math.max(file.share, CHANGED_SHARE) };
}

/** The definition at the cursor, or the definitions of the given name. */
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
  return found.filter(isDefinition).slice(0, MAX_SYMBOLS);
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

/** The names in a prompt that exist in the project. */
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

/** The session, its ancestors and all their subagents, whose work the agent knows. */
function ownConversations(index: ConversationReader, session: string | undefined): Set<number> {
  const own = new Set<number>();
  if (session === undefined || session === "") return own;
  const [source, id] = /^([a-z_]+):(.+)$/.exec(session)?.slice(1) ?? [undefined, session];
  const waiting = index.byPrefix(id ?? session, source, 2).filter((row) => row.id === id);
  while (waiting.length > 0 && own.size < MAX_RELATIVES) {
    const row = waiting.pop();
    if (!row || own.has(row.no)) continue;
    own.add(row.no);
    if (row.parent !== null)
      waiting.push(...index.byPrefix(row.parent, row.source, 2).filter((each) => each.id === row.parent));
    waiting.push(...index.children(row.id).filter((each) => each.source === row.source));
  }
  return own;
}
