/**
 * What somebody should know who begins to work in a project, from what is indexed already: nothing is synced, and git
 * is asked once. Each fact has the id by which suggestions call the same thing, so that nobody is told it twice.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAdrPath, parseAdr } from "../decisions/adr.ts";
import { SHOWN } from "../decisions/cues.ts";
import { type Decision, decisionId } from "../decisions/decision.ts";
import { settle } from "../decisions/status.ts";
import type { Dex } from "../dex.ts";
import { type BranchState, branchState } from "../history/branch.ts";
import { latestOutcomes } from "../history/outcomes/latest.ts";
import { historyPath } from "../history/place.ts";
import { findProject, type Repository } from "../history/repository.ts";
import { plural } from "../kernel/text.ts";
import type { HistoryReader, OwnDecision, SeenOutcome, Verdict } from "../store/history.ts";
import { EVERYWHERE, type Memory, type MemoryKind } from "../store/memories.ts";
import { openHistory } from "../store/sqlite/history.ts";
import { StateStore } from "../store/sqlite/state.ts";

export interface Fact {
  entityId: string;
  /** One line, without its source. */
  text: string;
  /** What opens it; null where there is nothing to open. */
  source: string | null;
  time: number | null;
  /** What makes it another fact when it changes; the id alone where that says it. */
  content: string;
}

export interface FactGroup {
  title: string;
  facts: Fact[];
}

/** What the parts below look at. */
interface Ground {
  dex: Dex;
  repository: Repository;
  history: HistoryReader;
  notes: Notes;
  branch: BranchState | undefined;
  /** The agent's own id of the conversation that begins. */
  session: string | undefined;
}

interface Notes {
  own: OwnDecision[];
  verdicts: Map<string, Verdict>;
  tests: SeenOutcome[];
  /** Pins, preferences and gotchas of the project and of all projects. */
  memories: Memory[];
}

const MOST_PINNED = 12;
const MOST_DECISIONS = 8;
const MOST_TESTS = 5;
const MOST_CONVERSATIONS = 5;
const MOST_NAMED = 6;
const MOST_RECORDS = 200;
const LARGEST_RECORD = 256 << 10;
/** A failure that nobody looked at for so long is no news. */
const FORGOTTEN = 30 * 86_400_000;

/** In the order in which they are told. */
const PARTS: readonly ((ground: Ground) => FactGroup)[] = [pinned, decisions, branchFacts, failingTests, lately];

export async function briefingOf(
  dex: Dex,
  folder: string,
  options: { session?: string; gitMs?: number } = {},
): Promise<FactGroup[]> {
  const repository = findProject(folder);
  // Git looks through the working tree while the rest is read.
  const branch = branchState(repository, options.gitMs ?? 2000);
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    const notes = notesOf(dex, repository.commonDir);
    const ground = { dex, repository, history, notes, branch: await branch, session: options.session };
    return PARTS.map((part) => part(ground)).filter(({ facts }) => facts.length > 0);
  } finally {
    history.close();
  }
}

function notesOf(dex: Dex, key: string): Notes {
  if (!existsSync(dex.paths.state)) return { own: [], verdicts: new Map(), tests: [], memories: [] };
  const state = new StateStore(dex.paths.state);
  try {
    return {
      own: state.decisions.own(key),
      verdicts: state.decisions.verdicts(key),
      tests: state.tests.all(key),
      memories: state.memory.all([key, EVERYWHERE]),
    };
  } finally {
    state.close();
  }
}

/** What was asked to be remembered: pins first, then what was learnt the hard way; a mere note waits to be asked for. */
function pinned({ notes }: Ground): FactGroup {
  const told: Partial<Record<MemoryKind, number>> = { pin: 0, gotcha: 1, preference: 2 };
  const facts = notes.memories
    .flatMap((memory) => ({ memory, order: told[memory.kind] ?? -1 }))
    .filter(({ order }) => order >= 0)
    .sort((a, b) => a.order - b.order)
    .slice(0, MOST_PINNED)
    .map(({ memory: { id, kind, text, because, updated } }) => ({
      entityId: `memory:${id}`,
      text: `${kind === "pin" ? "" : `${kind}: `}${text}${because === null ? "" : ` (because: ${because})`}`,
      source: id,
      time: updated,
      content: text,
    }));
  return { title: "Pinned", facts };
}

/** Those about files that are changed now first, then the surest, then the newest. */
function decisions({ repository, history, notes, branch }: Ground): FactGroup {
  const changed = new Set(branch?.changed ?? []);
  const known: Decision[] = [
    ...notes.own.map((each) => plainDecision({ ...each, owner: "", place: `decision ${each.id}`, score: 10 }, "user")),
    ...records(repository, history),
    ...history.decisions().map((each): Decision => ({ ...each, superseded_by: null, shown: each.score >= SHOWN })),
  ];
  const touches = ({ files }: Decision): number => (files.some((file) => changed.has(file)) ? 1 : 0);
  const facts = settle(known, history, notes.verdicts)
    .filter(({ shown, status }) => shown && status === "accepted")
    .sort((a, b) => touches(b) - touches(a) || b.score - a.score || b.time - a.time || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_DECISIONS)
    .map(({ id, text, because, place, time }) => ({
      entityId: `decision:${id}`,
      text: because === null || text.includes(because) ? text : `${text} (because: ${because})`,
      source: place,
      time,
      content: "",
    }));
  return { title: "Decisions in force", facts };
}

function plainDecision(
  each: Omit<Decision, "origin" | "status" | "superseded_by" | "shown">,
  origin: "user" | "adr",
  status: Decision["status"] = "accepted",
): Decision {
  return { ...each, origin, status, superseded_by: null, shown: true };
}

/** Usual places of decision records: listing the whole tree would take too long here. */
const PLACES = ["docs/adr", "docs/decisions", "doc/adr", "doc/arch", "adr", "decisions", "docs/architecture/decisions"];

function records(repository: Repository, history: HistoryReader): Decision[] {
  const paths = PLACES.flatMap((place) => {
    const folder = join(repository.root, place);
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory()
      ? readdirSync(folder).map((name) => `${place}/${name}`)
      : [];
  });
  return paths
    .filter(isAdrPath)
    .sort()
    .slice(-MOST_RECORDS)
    .flatMap((path) => {
      const stats = statSync(join(repository.root, path), { throwIfNoEntry: false });
      if (!stats?.isFile() || stats.size > LARGEST_RECORD) return [];
      const record = parseAdr(readFileSync(join(repository.root, path), "utf8"));
      if (!record) return [];
      const { text, because, alternatives, status, line } = record;
      const time = record.date ?? history.lastTouch(path)?.time ?? Math.floor(stats.mtimeMs);
      const id = decisionId(`${path} ${record.title}`);
      const about = { id, owner: path, place: `${path}:${line}`, text, because, alternatives, time, score: 10 };
      return [plainDecision({ ...about, files: [path], symbols: [] }, "adr", status)];
    });
}

function branchFacts({ repository, branch }: Ground): FactGroup {
  const title = "Branch";
  if (!branch) return { title, facts: [] };
  const { name, ahead, behind, base, changed, total } = branch;
  const told = [
    ahead > 0 && base !== undefined ? `${plural(ahead, "commit")} ahead of ${base}` : undefined,
    behind > 0 && base !== undefined ? `${plural(behind, "commit")} behind ${base}` : undefined,
    total === 0
      ? "no uncommitted files"
      : `${plural(total, "uncommitted file")}: ${changed.slice(0, MOST_NAMED).join(", ")}${total > MOST_NAMED ? ", …" : ""}`,
  ];
  const text = [name ?? "detached HEAD", ...told].filter(Boolean).join("; ");
  return { title, facts: [{ entityId: `branch:${repository.root}`, text, source: null, time: null, content: text }] };
}

function failingTests({ dex, history, notes }: Ground): FactGroup {
  const now = dex.now();
  const facts = latestOutcomes([...notes.tests, ...history.outcomes()])
    .filter(({ status, name, time }) => status === "failed" && name !== null && now - time < FORGOTTEN)
    .sort((a, b) => b.time - a.time || (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1))
    .slice(0, MOST_TESTS)
    .map(({ name, file, message, place, time }) => ({
      entityId: `test:${file ?? ""}#${name ?? ""}`,
      text: [file, name, message].filter(Boolean).join(": "),
      source: place,
      time,
      content: "",
    }));
  return { title: "Tests that failed when they last ran", facts };
}

function lately({ dex, repository, session }: Ground): FactGroup {
  const facts = dex.store.trail
    .conversationsIn(repository.roots, MOST_CONVERSATIONS * 4)
    .filter(({ id, subagent, title }) => !subagent && title !== "" && id !== session)
    .slice(0, MOST_CONVERSATIONS)
    .map(({ id, source, title, updated }) => ({
      entityId: `conversation:${id}`,
      text: `${title} (${source})`,
      source: id,
      time: updated,
      content: "",
    }));
  return { title: "Last done here", facts };
}
