/**
 * The briefing for a session that starts in a project, from the stored indexes: nothing is synced, and git runs once.
 * A fact has the same id as the suggestion about the same thing, which keeps both from being shown.
 */
import { type Decision, isAboutLines, ownFirst } from "../decisions/decision.ts";
import type { Dex } from "../dex.ts";
import { type BranchState, branchState } from "../history/branch.ts";
import { withCopies } from "../history/copies/copies.ts";
import { historyPath } from "../history/place.ts";
import { projectKey, type Repository, repositoryOrFolder } from "../history/repository.ts";
import { agentName } from "../integrations/registry.ts";
import { plural } from "../kernel/text.ts";
import { failingTests } from "../project/tests/failing.ts";
import { openHistory } from "../store/engine/history.ts";
import { openState } from "../store/engine/state.ts";
import type { HistoryReader } from "../store/history.ts";
import { EVERYWHERE, type MemoryKind } from "../store/state/memories.ts";
import type { StateStore } from "../store/state/state.ts";
import { decisionFact, type Fact, type FactGroup } from "./facts.ts";
import { lastSession, pastSessions } from "./last_session.ts";
import { storedFindings } from "./view/stored_findings.ts";

export type { Fact, FactGroup } from "./facts.ts";

/** The inputs of the sections below. */
interface BriefingSources {
  dex: Dex;
  repository: Repository;
  history: HistoryReader;
  /** Undefined if nothing was ever saved. */
  state: StateStore | undefined;
  /** Decisions in force. */
  accepted: readonly Decision[];
  branch: BranchState | undefined;
  /** The agent's own id of the new conversation. */
  session: string | undefined;
}

const MAX_PINNED = 12;
const MAX_DECISIONS = 8;
const MAX_TESTS = 5;
const MAX_CONVERSATIONS = 5;
const MAX_CHANGED_FILES = 6;
/** Older failures are left out. */
const MAX_FAILURE_AGE_MS = 30 * 86_400_000;

/** In the order in which they are shown. */
const SECTIONS: readonly ((sources: BriefingSources) => FactGroup)[] = [
  pinned,
  lastDone,
  decisions,
  branchFacts,
  brokenTests,
  recentConversations,
];

export async function briefingOf(
  dex: Dex,
  folder: string,
  options: { session?: string; gitMs?: number },
): Promise<FactGroup[]> {
  const found = repositoryOrFolder(folder);
  // Git walks the working tree while the databases are opened.
  const branch = branchState(found, options.gitMs ?? 2000);
  const history = openHistory(historyPath(dex.paths.history, found));
  const repository = withCopies(found, history, dex.settings.history.copies);
  const state = dex.hasState ? openState(dex.paths.state) : undefined;
  try {
    const { decisions: stored } = storedFindings({ repository, history }, state);
    const accepted = stored.filter(({ status }) => status === "accepted");
    const sources = { dex, repository, history, state, accepted, branch: await branch, session: options.session };
    return once(SECTIONS.map((section) => section(sources))).filter(({ facts }) => facts.length > 0);
  } finally {
    state?.close();
    history.close();
  }
}

/** Each fact once, in the first section that has it. */
function once(groups: readonly FactGroup[]): FactGroup[] {
  const seen = new Set<string>();
  const isNew = ({ entityId }: Fact): boolean => !seen.has(entityId) && seen.add(entityId) !== undefined;
  return groups.map(({ title, facts }) => ({ title, facts: facts.filter(isNew) }));
}

function lastDone({ dex, repository, history, accepted, session }: BriefingSources): FactGroup {
  const [last] = pastSessions(dex, repository, session);
  return lastSession(last, history, accepted);
}

/** Saved memories: pins, then gotchas, then preferences. Plain notes are only shown on request. */
function pinned({ repository, state }: BriefingSources): FactGroup {
  const rank: Partial<Record<MemoryKind, number>> = { pin: 0, gotcha: 1, preference: 2 };
  const facts = (state?.memory.all([projectKey(repository), EVERYWHERE]) ?? [])
    .flatMap((memory) => ({ memory, order: rank[memory.kind] ?? -1 }))
    .filter(({ order }) => order >= 0)
    .sort((a, b) => a.order - b.order)
    .slice(0, MAX_PINNED)
    .map(({ memory: { id, kind, text, because, updated } }) => ({
      entityId: `memory:${id}`,
      text: `${kind === "pin" ? "" : `${kind}: `}${text}${because === null ? "" : ` (because: ${because})`}`,
      source: id,
      time: updated,
      content: text,
    }));
  return { title: "Pinned", facts };
}

/**
 * Recorded decisions, then those about files with uncommitted changes, then by confidence, then the newest. A decision
 * in a comment within a file is part of the briefing only if the file has such changes; otherwise a hook shows it when
 * the agent reads the file.
 */
function decisions({ accepted, branch }: BriefingSources): FactGroup {
  const changed = new Set(branch?.changed ?? []);
  const touches = ({ files }: Decision): number => (files.some((file) => changed.has(file)) ? 1 : 0);
  const told = accepted.filter((each) => !isAboutLines(each) || touches(each) > 0);
  const inOrder = told.sort(
    (a, b) => touches(b) - touches(a) || b.score - a.score || b.time - a.time || (a.id < b.id ? -1 : 1),
  );
  const facts = ownFirst(inOrder).slice(0, MAX_DECISIONS).map(decisionFact);
  return { title: "Decisions in force", facts };
}

/** A branch without changes of its own: its name is not worth the tokens. */
function isPlainBranch({ total, ahead, behind }: BranchState): boolean {
  return total === 0 && ahead === 0 && behind === 0;
}

function branchFacts({ repository, branch }: BriefingSources): FactGroup {
  const title = "Branch";
  if (!branch || isPlainBranch(branch)) return { title, facts: [] };
  const { name, ahead, behind, base, changed, total } = branch;
  const parts = [
    ahead > 0 && base !== undefined ? `${plural(ahead, "commit")} ahead of ${base}` : undefined,
    behind > 0 && base !== undefined ? `${plural(behind, "commit")} behind ${base}` : undefined,
    total === 0
      ? "no uncommitted files"
      : `${plural(total, "uncommitted file")}: ${changed.slice(0, MAX_CHANGED_FILES).join(", ")}${total > MAX_CHANGED_FILES ? ", …" : ""}`,
  ];
  const text = [name ?? "detached HEAD", ...parts].filter(Boolean).join("; ");
  return { title, facts: [{ entityId: `branch:${repository.root}`, text, source: null, time: null, content: text }] };
}

function brokenTests({ dex, repository, history, state }: BriefingSources): FactGroup {
  const now = dex.now();
  const facts = failingTests({ repository, history, imported: state?.tests })
    .filter(({ time }) => now - time < MAX_FAILURE_AGE_MS)
    .slice(0, MAX_TESTS)
    .map(({ name, file, message, place, time }) => ({
      entityId: `test:${file ?? ""}#${name ?? ""}`,
      text: [file, name, message].filter(Boolean).join(": "),
      source: place,
      time,
      content: "",
    }));
  return { title: "Tests that failed when they last ran", facts };
}

function recentConversations({ dex, repository, session }: BriefingSources): FactGroup {
  const facts = pastSessions(dex, repository, session)
    .slice(0, MAX_CONVERSATIONS)
    .map(({ id, source, title, updated }) => ({
      entityId: `conversation:${id}`,
      text: `${title} (${agentName(source)})`,
      source: id,
      time: updated,
      content: "",
    }));
  return { title: "Last done here", facts };
}
