/** Commits of the last days to the file itself, and to what it depends on or what calls it: who, what, when. */
import { plural } from "../../kernel/text.ts";
import type { CodeReader } from "../../store/code.ts";
import type { FileCommit } from "../../store/history.ts";
import type { Candidate, Evidence, Ground } from "../evidence.ts";
import { ageInWords, oneLine } from "../text.ts";

const DAY = 86_400_000;
const MOST_FOCUS = 3;
const MOST_NEIGHBOURS = 20;
const MOST_COMMITS = 10;
/** A commit of this many files or more is no change to any one of them: a rename, a licence, a new format. */
const SWEEPING = 60;

export function recentChanges(ground: Ground): Candidate[] {
  const { focus, graph } = ground;
  const found: Candidate[] = [];
  for (const { path, share } of focus.files.slice(0, MOST_FOCUS)) {
    found.push(...commitsTo(ground, path, "change_here", share, `changed ${path}`));
    for (const { path: other, how } of graph ? neighbours(graph, path) : []) {
      found.push(...commitsTo(ground, other, "change_near", share, `changed ${other}, which ${how} ${path}`));
    }
  }
  return found;
}

function commitsTo(ground: Ground, path: string, kind: Evidence["kind"], share: number, what: string): Candidate[] {
  const { history, now, recentChangeDays } = ground;
  const span = recentChangeDays * DAY;
  return history
    .commitsOf(path, MOST_COMMITS)
    .filter(
      (commit) =>
        commit.time > now - span && commit.time <= now + DAY && commit.file_count < SWEEPING && commit.parents < 2,
    )
    .flatMap((commit) =>
      describe(ground, commit, path, {
        kind,
        strength: 1 - Math.max(0, now - commit.time) / span,
        share: share / Math.sqrt(Math.max(1, commit.file_count / 10)),
        reason: `${commit.author} ${what} ${ageInWords(commit.time, now)}`,
      }),
    );
}

function describe(ground: Ground, commit: FileCommit, path: string, evidence: Evidence): Candidate[] {
  const { links, history, focus, index, now } = ground;
  const link = links.of(commit, () => history.filesOf(commit.no).map((file) => file.path));
  // Who made the commit knows of it.
  if (link && index.byPrefix(link.id, link.source, 1).some(({ no }) => focus.own.has(no))) return [];
  const lines = commit.added === null ? "" : `, +${commit.added} -${commit.deleted ?? 0} lines in ${path}`;
  const files = commit.file_count > 1 ? `, ${plural(commit.file_count, "file")}` : "";
  const made = link ? `; made in ${link.source} conversation ${link.id.slice(0, 8)} "${oneLine(link.title, 60)}"` : "";
  return [
    {
      type: "change",
      entityId: `commit:${commit.sha}`,
      title: `Recent change: ${oneLine(commit.subject, 90)}`,
      summary: `${commit.author}, ${ageInWords(commit.time, now)}${lines}${files}${made}`,
      actionUrl: commit.sha,
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
