/** Suggests recent commits to the focus files and to files they import, are imported by or are called from. */
import type { CommitLink } from "../../history/links.ts";
import { agentName } from "../../integrations/registry.ts";
import { plural } from "../../kernel/text.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { CodeReader } from "../../store/code.ts";
import type { FileCommit } from "../../store/history_records.ts";
import { isRelatedWork } from "../base_rates.ts";
import { chanceIn } from "../combine.ts";
import type { Candidate, Evidence, ProjectView } from "../evidence.ts";
import { conversationAddress } from "../origins.ts";
import { ageInWords } from "../text.ts";

const DAY = 86_400_000;
/** The share of a commit's files that later work must edit to count as its continuation. */
export const MIN_MET_OF_COMMIT = 1 / 3;
const MAX_FOCUS = 3;
const MAX_NEIGHBOURS = 20;
const MAX_COMMITS = 10;
/** The number of earlier changes that are compared with the changes after them. */
const MAX_FOLLOWED = 5;
/** Pseudo-observations on each side. */
const FOLLOWS_PRIOR = 1;
/** Counting stops at so many added lines. */
const MAX_ADDED = 127;
/** Earlier changes listed in the summary. */
const MAX_EARLIER = 3;
/** Larger commits (a rename, a licence header, a reformat) are not changes to a particular file. */
const MAX_COMMIT_FILES = 60;

export function recentChanges(view: ProjectView): Candidate[] {
  const { focus, graph } = view;
  const files = focus.files
    .slice(0, MAX_FOCUS)
    .map(({ path, share }) => ({ path, share, here: latestOf(view, recentCommits(view, path), path) }));
  const mostNear = chanceIn(view.shifts)(nearEvidence(Math.log2(1 + MAX_ADDED), 1, ""));
  const isNearLikely = mostNear >= view.least("change");
  // A commit to a focus file is not more useful because it changed a neighbour as well.
  const known = new Set(files.map(({ here }) => here?.commit.sha));
  return files.flatMap(({ path, share, here }) => {
    const near = (graph && isNearLikely ? neighbours(graph, path) : []).flatMap(({ path: other, how }): Change[] => {
      const change = latestOf(view, recentCommits(view, other), other);
      return change && !known.has(change.commit.sha) ? [{ ...change, how: `${change.how}, which ${how} ${path}` }] : [];
    });
    const features = here && { follows: followRate(view, here), added: addedLines(here) };
    return [
      ...(here ? describe(view, here, { kind: "change_here", strength: 0, features, share, reason: here.how }) : []),
      ...near.flatMap((each) => describe(view, each, nearEvidence(addedLines(each), share, each.how))),
    ];
  });
}

function nearEvidence(added: number, share: number, reason: string): Evidence {
  return { kind: "change_near", strength: 0, features: { added }, share, reason };
}

/** How often a commit to this file continued the work of the one before it. */
function followRate(view: ProjectView, { commit, before = [] }: Change): number {
  const about = new Set(view.focus.files.map(({ path }) => path));
  const line = [commit, ...before.slice(0, MAX_FOLLOWED)].map(({ no }) =>
    view.history.filesOf(no).map(({ path }) => path),
  );
  const followed = line
    .slice(1)
    .filter((earlier, at) => isRelatedWork(earlier, new Set(line[at]), about, MIN_MET_OF_COMMIT));
  return (followed.length + FOLLOWS_PRIOR) / (line.length - 1 + 2 * FOLLOWS_PRIOR);
}

/** How many lines the commit added to the file, as a logarithm: new code is worked on again sooner than an edited line. */
function addedLines({ commit }: Change): number {
  return Math.log2(1 + Math.min(MAX_ADDED, commit.added ?? 0));
}

interface Change {
  commit: FileCommit;
  at: string;
  how: string;
  /** Earlier changes to the same file. */
  before?: readonly FileCommit[];
}

/** One change per file: the last commit that the session did not make itself, with the earlier ones. */
function latestOf(view: ProjectView, commits: readonly FileCommit[], path: string): Change | undefined {
  const [commit, ...before] = commits.filter((each) => !isOwn(view, each));
  return commit && { commit, at: path, how: `changed ${path}`, before };
}

function recentCommits({ history, now, recentChangeDays }: ProjectView, path: string): FileCommit[] {
  const since = now - recentChangeDays * DAY;
  return history
    .commitsOf(path, MAX_COMMITS)
    .filter(
      ({ time, file_count, parents }) =>
        time > since && time <= now + DAY && file_count < MAX_COMMIT_FILES && parents < 2,
    );
}

/** The session made the commit itself, so it knows about it. */
function isOwn(view: ProjectView, commit: FileCommit): boolean {
  const { focus, index } = view;
  if (focus.own.size === 0) return false;
  const link = linkOf(view, commit);
  return link !== undefined && index.byPrefix(link.id, link.source, 1).some(({ no }) => focus.own.has(no));
}

function linkOf({ links, history }: ProjectView, commit: FileCommit): CommitLink | undefined {
  return links.of(commit, () => history.filesOf(commit.no).map((file) => file.path));
}

/** Called for shown commits only. */
function summaryOf(view: ProjectView, { commit, at, before = [] }: Omit<Change, "how">): string {
  const { now } = view;
  const lines = commit.added === null ? "" : `, +${commit.added} -${commit.deleted ?? 0} lines in ${at}`;
  const files = commit.file_count > 1 ? `, ${plural(commit.file_count, "file")}` : "";
  const earlier = before
    .slice(0, MAX_EARLIER)
    .map(({ sha, subject }) => `${sha.slice(0, 8)} ${quoteLine(subject, 60)}`);
  const rest = before.length > earlier.length ? `, and ${before.length - earlier.length} more` : "";
  const also = earlier.length === 0 ? "" : `. Before it: ${earlier.join("; ")}${rest}`;
  return `${commit.author}, ${ageInWords(commit.time, now)}${lines}${files}${also}`;
}

function madeIn(view: ProjectView, commit: FileCommit): string {
  const link = linkOf(view, commit);
  if (!link) return "";
  return `, made in ${agentName(link.source)} conversation "${quoteLine(link.title, 50)}" (${conversationAddress(link, link.message)})`;
}

function describe(view: ProjectView, { commit, at, before = [] }: Change, evidence: Evidence): Candidate[] {
  if (isOwn(view, commit)) return [];
  return [
    {
      type: "change",
      entityId: `commit:${commit.sha}`,
      title: () => `Recent change: ${quoteLine(commit.subject, 90)}`,
      summary: () => summaryOf(view, { commit, at, before }),
      origin: () => ({ from: `commit${madeIn(view, commit)}`, address: commit.sha.slice(0, 12) }),
      actionUrl: commit.sha.slice(0, 12),
      time: commit.time,
      evidence: [evidence],
    },
  ];
}

/** Related files by import, then by call. */
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
  return [...found].slice(0, MAX_NEIGHBOURS).map(([other, how]) => ({ path: other, how }));
}
