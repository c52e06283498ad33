/**
 * Measures how often dex assigns a commit to the conversation that made it. docs/internals/quality/history.md has the figures.
 *
 *   DEX_HOME=<a synced home> node bench/history/links.ts
 *
 * Git's own output in a conversation proves who made a commit. The bench hides that proof and lets dex assign the
 * commit by its message, then by its files alone. The files are those that the conversation passed to `git add` or git
 * listed, if their number equals the one that git reports.
 */
import { shellCommand } from "../../src/conversations/activity/tools.ts";
import { Dex } from "../../src/dex.ts";
import { CommitLinks, type ConversationIndex } from "../../src/history/links.ts";
import type { Repository } from "../../src/history/repository.ts";
import { conversationLoader } from "../../src/project/loading.ts";
import type { CommitInfo } from "../../src/store/history_records.ts";
import type { TrailConversation } from "../../src/store/trails.ts";

interface Proven {
  row: TrailConversation;
  sha: string;
  subject: string;
  time: number;
  /** Undefined: its files are unknown. */
  files: string[] | undefined;
}

interface Score {
  asked: number;
  given: number;
  right: number;
}

const EMPTY: CommitInfo = {
  no: 0,
  sha: "",
  parents: 1,
  authored: 0,
  time: 0,
  author: "",
  email: "",
  subject: "",
  body: "",
  file_count: 0,
  boundary: false,
};

const dex = await Dex.open();
const load = conversationLoader(dex);
const projects = new Map<string, Proven[]>();
for (const proven of provenCommits()) {
  projects.set(proven.row.project, [...(projects.get(proven.row.project) ?? []), proven]);
}
const all = [...projects.values()].flat();
const withFiles = all.filter(({ files }) => files !== undefined);
// A text that was masked before it came here is the message of many commits.
const named = all.filter(({ subject }) => subject !== "[masked]");
const tables: [string, Score][] = [
  ["by message", score(named, (made) => made.map((each) => ({ ...each, sha: "0000000" })))],
  ["by files", score(withFiles, () => [])],
];
process.stdout.write(`${all.length} commits, ${withFiles.length} with known files\n`);
for (const [what, { asked, given, right }] of tables) {
  const share = (part: number, whole: number): string => (part / Math.max(1, whole)).toFixed(3);
  process.stdout.write(
    `${what}: ${asked} asked, ${given} assigned to a conversation, precision ${share(right, given)}, recall ${share(right, asked)}\n`,
  );
}

function score(
  asked: readonly Proven[],
  hide: (made: ReturnType<ConversationIndex["trail"]["commitsMade"]>) => typeof made,
): Score {
  const { store } = dex;
  const index: ConversationIndex = {
    trail: { ...store.trail, commitsMade: () => hide(store.trail.commitsMade()) },
    files: (no) => store.files(no),
    byNo: (no) => store.byNo(no),
  };
  const links = new Map([...projects.keys()].map((root) => [root, new CommitLinks(repositoryAt(root), index)]));
  const result: Score = { asked: asked.length, given: 0, right: 0 };
  for (const { row, sha, subject, time, files } of asked) {
    const commit: CommitInfo = { ...EMPTY, sha: sha.padEnd(40, "0"), subject, authored: time, time };
    const link = links.get(row.project)?.of(commit, () => files ?? []);
    if (!link) continue;
    result.given += 1;
    if (sameWork(link, row)) result.right += 1;
    else if (process.env.DEX_BENCH_SHOW) process.stderr.write(`${link.by} ${row.id} taken for ${link.id}\n`);
  }
  return result;
}

/** A subagent's work is its parent's. */
function sameWork(link: { source: string; id: string }, row: TrailConversation): boolean {
  const { parent } = dex.store.byNo(row.no) ?? {};
  return link.source === row.source && (link.id === row.id || link.id === parent);
}

function* provenCommits(): Generator<Proven> {
  const { store } = dex;
  const rows = new Map<number, TrailConversation>();
  const made = store.trail.commitsMade();
  for (const { no } of made) {
    const project = store.byNo(no)?.project;
    if (!project || rows.has(no)) continue;
    for (const row of store.trail.conversationsIn([project], 5000)) rows.set(row.no, row);
  }
  for (const row of rows.values()) {
    const own = made.filter(({ no }) => no === row.no);
    if (own.length > 0) yield* provenIn(row, own);
  }
}

function* provenIn(
  row: TrailConversation,
  made: readonly { first: number; sha: string; subject: string }[],
): Generator<Proven> {
  let added: string[] = [];
  for (const { index, message } of load(row)) {
    for (const part of message.parts) {
      if (part.type === "tool_call") added.push(...addedBy(shellCommand(part) ?? ""));
      if (part.type !== "tool_result") continue;
      const { output } = part;
      for (const { sha, subject } of made.filter(({ first, sha }) => first === index && output.includes(sha))) {
        const time = message.time === undefined ? row.updated : Date.parse(message.time);
        const listed = [...output.matchAll(/^ (?:create|delete) mode \d+ (.+)$/gm)].map(([, path = ""]) => path);
        const count = Number(/ (\d+) files? changed/.exec(output)?.[1] ?? 0);
        const files = [...new Set([...listed, ...added])];
        yield { row, sha, subject, time, files: files.length === count ? files : undefined };
        added = [];
      }
    }
  }
}

/** Paths that a command passes to `git add`, if it names only single files. */
function addedBy(command: string): string[] {
  return [...command.matchAll(/\bgit add ((?:[\w@./+-]+ ?)+)/g)].flatMap(([, list = ""]) =>
    list
      .trim()
      .split(" ")
      .filter((path) => !path.startsWith("-") && /\.\w+$/.test(path))
      .map((path) => path.replace(/^\.\//, "")),
  );
}

function repositoryAt(root: string): Repository {
  return {
    git: true,
    isProject: true,
    root,
    gitDir: root,
    commonDir: root,
    head: undefined,
    shallow: [],
    partial: false,
    roots: [root],
  };
}
