/**
 * What somebody should know who begins to work in a project, from what is indexed already: nothing is synced, and git
 * is asked once. Each fact has the id by which suggestions call the same thing, so that nobody is told it twice.
 */
import type { Decision } from "../decisions/decision.ts";
import { SAID_OUTRIGHT } from "../decisions/known.ts";
import type { Dex } from "../dex.ts";
import { type BranchState, branchState } from "../history/branch.ts";
import { historyPath } from "../history/place.ts";
import { findProject, type Repository } from "../history/repository.ts";
import { plural } from "../kernel/text.ts";
import type { HistoryReader } from "../store/history.ts";
import { EVERYWHERE, type MemoryKind } from "../store/memories.ts";
import { openHistory } from "../store/sqlite/history/reader.ts";
import { StateStore } from "../store/sqlite/state/state.ts";
import { failingTests, keptDerived } from "./stored_findings.ts";

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
  /** Undefined where nobody noted anything yet. */
  state: StateStore | undefined;
  branch: BranchState | undefined;
  /** The agent's own id of the conversation that begins. */
  session: string | undefined;
}

const MOST_PINNED = 12;
const MOST_DECISIONS = 8;
const MOST_TESTS = 5;
const MOST_CONVERSATIONS = 5;
const MOST_NAMED = 6;
/** A failure that nobody looked at for so long is no news. */
const FORGOTTEN = 30 * 86_400_000;

/** In the order in which they are told. */
const PARTS: readonly ((ground: Ground) => FactGroup)[] = [pinned, decisions, branchFacts, brokenTests, lately];

export async function briefingOf(
  dex: Dex,
  folder: string,
  options: { session?: string; gitMs?: number } = {},
): Promise<FactGroup[]> {
  const repository = findProject(folder);
  // Git looks through the working tree while the rest is read.
  const branch = branchState(repository, options.gitMs ?? 2000);
  const history = openHistory(historyPath(dex.paths.history, repository));
  const state = dex.hasState ? new StateStore(dex.paths.state) : undefined;
  try {
    const ground = { dex, repository, history, state, branch: await branch, session: options.session };
    return PARTS.map((part) => part(ground)).filter(({ facts }) => facts.length > 0);
  } finally {
    state?.close();
    history.close();
  }
}

/** What was asked to be remembered: pins first, then what was learnt the hard way; a mere note waits to be asked for. */
function pinned({ repository, state }: Ground): FactGroup {
  const told: Partial<Record<MemoryKind, number>> = { pin: 0, gotcha: 1, preference: 2 };
  const facts = (state?.memory.all([repository.commonDir, EVERYWHERE]) ?? [])
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
function decisions({ repository, history, state, branch }: Ground): FactGroup {
  const changed = new Set(branch?.changed ?? []);
  const touches = ({ files }: Decision): number => (files.some((file) => changed.has(file)) ? 1 : 0);
  const facts = keptDerived({ repository, history }, state)
    .decisions.filter(({ status }) => status === "accepted")
    .sort((a, b) => touches(b) - touches(a) || b.score - a.score || b.time - a.time || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_DECISIONS)
    .map(({ id, text, because, place, time }) => ({
      entityId: `decision:${id}`,
      text: because === null || text.includes(because) ? text : `${text} (because: ${because})`,
      source: place === SAID_OUTRIGHT ? `decision ${id}` : place,
      time,
      content: "",
    }));
  return { title: "Decisions in force", facts };
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

function brokenTests({ dex, repository, history, state }: Ground): FactGroup {
  const now = dex.now();
  const facts = failingTests({ repository, history }, state)
    .filter(({ time }) => now - time < FORGOTTEN)
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
