/** Commits of the last days to the file itself, and to what it depends on or what calls it: who, what, when. */
import type { CommitLink } from "../../history/links.ts";
import { plural } from "../../kernel/text.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { CodeReader } from "../../store/code.ts";
import type { FileCommit } from "../../store/history.ts";
import type { Candidate, Evidence, Ground } from "../evidence.ts";
import { ageInWords } from "../text.ts";

const DAY = 86_400_000;
const MOST_FOCUS = 3;
const MOST_NEIGHBOURS = 20;
const MOST_COMMITS = 10;
/** Earlier changes that are named. */
const MOST_TOLD = 3;
/** A commit of this many files or more is no change to any one of them: a rename, a licence, a new format. */
const SWEEPING = 60;

export function recentChanges(ground: Ground): Candidate[] {
  const { focus, graph } = ground;
  return focus.files.slice(0, MOST_FOCUS).flatMap(({ path, share }) => {
    const here = latestOf(ground, recentCommits(ground, path), path);
    const near = (graph ? neighbours(graph, path) : []).flatMap(({ path: other, how }) =>
      recentCommits(ground, other).map((commit) => ({
        commit,
        at: other,
        how: `changed ${other}, which ${how} ${path}`,
      })),
    );
    // Where much changes all around, one change more says little.
    const commits = new Set(near.map(({ commit }) => commit.sha)).size;
    const news = share / Math.max(1, Math.log2(1 + commits));
    return [
      ...(here ? describe(ground, here, evidenceOf(ground, here, "change_here", share)) : []),
      ...near.flatMap((each) => describe(ground, each, evidenceOf(ground, each, "change_near", news))),
    ];
  });
}

interface Change {
  commit: FileCommit;
  at: string;
  how: string;
  /** Changes to the same file before it. */
  before?: readonly FileCommit[];
}

/** What happened to a file is one thing to know: the last commit that its reader did not make, with those before it. */
function latestOf(ground: Ground, commits: readonly FileCommit[], path: string): Change | undefined {
  const [commit, ...before] = commits.filter((each) => !isOwn(ground, each));
  return commit && { commit, at: path, how: `changed ${path}`, before };
}

function recentCommits({ history, now, recentChangeDays }: Ground, path: string): FileCommit[] {
  const since = now - recentChangeDays * DAY;
  return history
    .commitsOf(path, MOST_COMMITS)
    .filter(
      ({ time, file_count, parents }) => time > since && time <= now + DAY && file_count < SWEEPING && parents < 2,
    );
}

function evidenceOf(ground: Ground, { commit, how }: Change, kind: Evidence["kind"], share: number): Evidence {
  const age = Math.max(0, ground.now - commit.time) / (ground.recentChangeDays * DAY);
  // Of a commit of many files, this one is a small part.
  const part = 1 / Math.sqrt(Math.max(1, commit.file_count / 10));
  return { kind, strength: 1 - age, share: share * part, reason: how };
}

/** Who made the commit knows of it. */
function isOwn(ground: Ground, commit: FileCommit): boolean {
  const { focus, index } = ground;
  if (focus.own.size === 0) return false;
  const link = linkOf(ground, commit);
  return link !== undefined && index.byPrefix(link.id, link.source, 1).some(({ no }) => focus.own.has(no));
}

function linkOf({ links, history }: Ground, commit: FileCommit): CommitLink | undefined {
  return links.of(commit, () => history.filesOf(commit.no).map((file) => file.path));
}

function describe(ground: Ground, { commit, at, before = [] }: Change, evidence: Evidence): Candidate[] {
  if (isOwn(ground, commit)) return [];
  const { now } = ground;
  const link = linkOf(ground, commit);
  const lines = commit.added === null ? "" : `, +${commit.added} -${commit.deleted ?? 0} lines in ${at}`;
  const files = commit.file_count > 1 ? `, ${plural(commit.file_count, "file")}` : "";
  const made = link
    ? `; made in ${link.source} conversation ${link.id.slice(0, 8)} "${quoteLine(link.title, 50)}"`
    : "";
  const earlier = before.slice(0, MOST_TOLD).map(({ sha, subject }) => `${sha.slice(0, 8)} ${quoteLine(subject, 60)}`);
  const rest = before.length > earlier.length ? `, and ${before.length - earlier.length} more` : "";
  const also = earlier.length === 0 ? "" : `. Before it: ${earlier.join("; ")}${rest}`;
  return [
    {
      type: "change",
      entityId: `commit:${commit.sha}`,
      title: `Recent change: ${quoteLine(commit.subject, 90)}`,
      summary: `${commit.author}, ${ageInWords(commit.time, now)}${lines}${files}${made}${also}`,
      actionUrl: commit.sha.slice(0, 12),
      time: commit.time,
      evidence: [evidence],
    },
  ];
}

/** By import and by call, the nearest first. */
function neighbours(graph: CodeReader, path: string): { path: string; how: string }[] {
  const file = graph.file(path);
  if (!file) return [];
  const entities = graph.entities(file.no);
  const root = entities[0];
  if (!root) return [];
  const found = new Map<string, string>();
  const add = (other: string, how: string): void => {
    if (other !== path && !found.has(other)) found.set(other, how);
  };
  for (const { entity } of graph.outgoing(root.no, ["IMPORTS"])) add(entity.path, "is imported by");
  for (const { entity } of graph.incoming(root.no, ["IMPORTS"])) add(entity.path, "imports");
  for (const symbol of entities.slice(1, 40)) {
    for (const { entity, edge } of graph.incoming(symbol.no, ["CALLS"])) {
      if (edge.resolution !== "ambiguous") add(entity.path, "calls into");
    }
  }
  return [...found].slice(0, MOST_NEIGHBOURS).map(([other, how]) => ({ path: other, how }));
}
