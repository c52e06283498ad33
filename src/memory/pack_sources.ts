/** Collects the parts of a pack. Nothing here depends on the clock: the same state gives the same parts. */
import { typedText } from "../conversations/texts/typed_text.ts";
import { type Decision, isAboutLines, ownFirst } from "../decisions/decision.ts";
import { matchDecisions } from "../decisions/search.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { decisionsOf } from "../project/decisions.ts";
import type { OpenRepository } from "../project/repository.ts";
import type { RunContext } from "../run_context.ts";
import { SEARCH_DEFAULTS } from "../search/conversations.ts";
import { shortAddresses } from "../search/filters/resolve.ts";
import { loadMessages, streamMessages, unlessDamaged } from "../search/messages.ts";
import { isTopLevel } from "../search/results/describe.ts";
import type { SearchResult } from "../search/results/result_schema.ts";
import { searchIn } from "../search/search.ts";
import { withTeam } from "../search/with_team.ts";
import type { ConversationRow } from "../store/ports.ts";
import type { Memory } from "../store/state/memories.ts";
import { chanceOfLead, leadsOf } from "../suggest/scale.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import type { Lead, PackDecision, PackTurn } from "./pack.ts";
import { recapOf } from "./recap.ts";
import { memoriesWithTeam } from "./save.ts";
import { matchMemories } from "./saved.ts";
import { readSummary } from "./summaries.ts";
import { extractiveSummary, isUpToDate, type Summary, withFindings } from "./summary.ts";
import { earlierLine, summaryLine } from "./summary_lines.ts";

/** Conversations listed individually; older ones are merged into one line. */
const MAX_LISTED = 8;
const MAX_EARLIER = 150;
/** Messages. A longer conversation is listed only after `dex compact` has summarised it. */
const MAX_MESSAGES_READ = 4000;
const MAX_DECISIONS = 40;
const MAX_LEADS = 8;
/** The chance from which a conversation of another project gets a line. */
const MIN_CHANCE = 0.5;
const MAX_DOCUMENTS = 3;
const MAX_NOTES = 4;
const MAX_TURNS = 6;
/** Messages at the end of a conversation that are searched for turns. */
const MAX_TAIL_MESSAGES = 200;

/** Pins, then preferences: both apply to every task. */
export function pinsAndPreferences(memories: readonly Memory[]): Memory[] {
  return [...memories.filter(({ kind }) => kind === "pin"), ...memories.filter(({ kind }) => kind === "preference")];
}

/**
 * Decisions in force: recorded ones, then those about the task, then the newest. Those in comments come after the others,
 * because a comment is about its own file, and those below the head of a file come last.
 */
export async function decisionsFor(
  dex: Dex,
  open: OpenRepository,
  task: string | undefined,
  context: RunContext,
): Promise<PackDecision[]> {
  const inForce = (await decisionsOf(dex, open, context)).filter(
    ({ status, shown }) => shown && (status === "accepted" || status === "proposed"),
  );
  const about = task === undefined ? [] : matchDecisions(inForce, task);
  const rest = inForce
    .filter((each) => !about.includes(each))
    .sort((a, b) => reachOf(a) - reachOf(b) || b.time - a.time || (a.id < b.id ? -1 : 1));
  const address = shortAddresses(dex);
  const ordered = ownFirst([...about, ...rest]).slice(0, MAX_DECISIONS);
  return ordered.map(({ id, text, because, place, time, owner }) => {
    // A decision of a conversation gets a short address.
    const [conversation = "", index] = place.split("#");
    const source = owner.split(":")[0] ?? "";
    const short = index === undefined ? place : `${address({ id: conversation, source })}#${index}`;
    return { id, text, because, place: short, time };
  });
}

/** 0: the whole project, 1: one file, 2: a few lines. */
function reachOf(decision: Decision): number {
  if (decision.origin !== "marker") return 0;
  return isAboutLines(decision) ? 2 : 1;
}

/** The conversations of the project, the latest first. */
export function conversationsOf(dex: Dex, open: OpenRepository): ConversationRow[] {
  return open.links.conversations
    .flatMap(({ no }) => dex.store.byNo(no) ?? [])
    .filter((row) => isTopLevel(row) && row.messages > 0)
    .sort((a, b) => b.updated - a.updated || (a.id < b.id ? -1 : 1));
}

export function workLines(dex: Dex, rows: readonly ConversationRow[], root: string): string[] {
  const address = shortAddresses(dex);
  const lines = rows.slice(0, MAX_LISTED).flatMap((row) => {
    const summary = summaryFor(dex, row);
    return summary ? [summaryLine(summary, address(row), root)] : [];
  });
  const older = rows.slice(MAX_LISTED, MAX_LISTED + MAX_EARLIER);
  const earlier = older.flatMap((row) => readSummary(dex.paths.summaries, row) ?? []);
  const before = earlierLine(earlier, root);
  return before === undefined ? lines : [...lines, before];
}

/** The stored summary, or a new one if the conversation has grown since. */
function summaryFor(dex: Dex, row: ConversationRow): Summary | undefined {
  const stored = readSummary(dex.paths.summaries, row);
  if ((stored && isUpToDate(stored, row)) || row.messages > MAX_MESSAGES_READ) return stored;
  const recap = unlessDamaged(dex, () => recapOf(row, () => streamMessages(dex, row)), undefined);
  if (!recap) return stored;
  const own = extractiveSummary(row, recap);
  return stored?.engine === "model" && stored.model ? withFindings(own, stored.model, stored.findings) : own;
}

/** Search results for the task: notes, conversations of this project and of others, documents. None without a task. */
export async function leadsFor(
  dex: Dex,
  task: string | undefined,
  root: string,
  without: ReadonlySet<string>,
  context: RunContext,
): Promise<Lead[]> {
  if (task === undefined) return [];
  const here = await searchFor(dex, task, { project: root, limit: MAX_LEADS }, context);
  const elsewhere =
    here.length < MAX_LEADS ? likelyResults(await searchFor(dex, task, { limit: MAX_LEADS }, context)) : [];
  const documents = await searchFor(dex, task, { in: "documents", limit: MAX_DOCUMENTS }, context);
  const seen = new Set<string>(without);
  const address = shortAddresses(dex);
  const conversations = [...here, ...elsewhere].filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, MAX_LEADS);
  const notes = matchMemories(
    memoriesWithTeam(dex, root).filter(({ kind }) => kind === "note" || kind === "gotcha"),
    task,
  );
  return [
    ...notes.slice(0, MAX_NOTES).map((note) => noteLead(note)),
    ...conversations.map((each) => ({
      ...leadOf(each),
      address: `${each.address ?? address(each)}#${each.message_index}`,
    })),
    ...documents.map(leadOf),
  ];
}

/** Keeps results that are probably about the same task. */
function likelyResults(results: readonly SearchResult[]): SearchResult[] {
  const leads = leadsOf(results.map(({ score_final }) => score_final));
  return results.filter(({ score_vec }, i) => chanceOfLead(leads[i] ?? 0, score_vec) >= MIN_CHANCE);
}

async function searchFor(
  dex: Dex,
  query: string,
  narrowed: { project?: string; in?: "documents"; limit: number },
  { notice }: RunContext,
): Promise<SearchResult[]> {
  try {
    // Only notices are passed on: the trace belongs to the pack.
    const found = await withTeam(
      dex,
      notice ? { notice } : {},
      (joined, heard) => searchIn(joined, { ...SEARCH_DEFAULTS, query, ...narrowed }, heard),
      narrowed.project,
    );
    return found.results;
  } catch (error) {
    // A new project has no conversation yet.
    if (error instanceof DexError && (error.code === "empty_query" || error.code === "unknown_project")) return [];
    throw error;
  }
}

function leadOf({ id, title, date, estimated_tokens, origin, owner }: SearchResult): Lead {
  const lead = { address: id, title, time: Date.parse(date), tokens: estimated_tokens };
  return origin === "team" ? { ...lead, owner } : lead;
}

function noteLead({ id, kind, text, updated, author }: Memory): Lead {
  const label = author === undefined ? kind : `${kind} of ${author}`;
  return { address: id, title: `${label}: ${text}`, time: updated, tokens: estimateTokens(text) };
}

/** The last messages of the person, verbatim, and the last one of the agent before each of them. */
export function lastTurns(dex: Dex, row: ConversationRow): PackTurn[] {
  return unlessDamaged(dex, () => readLastTurns(dex, row), []);
}

function readLastTurns(dex: Dex, row: ConversationRow): PackTurn[] {
  const address = shortAddresses(dex)(row);
  const turns: PackTurn[] = [];
  for (const { index, message } of loadMessages(
    dex,
    row,
    Math.max(0, row.messages - MAX_TAIL_MESSAGES),
    row.messages,
  )) {
    if (message.role !== "user" && message.role !== "assistant") continue;
    const text = typedText(message);
    if (text === "") continue;
    // Drops remarks made during the work: only the last message before the person's next one counts.
    if (message.role === "assistant" && turns.at(-1)?.who === "assistant") turns.pop();
    turns.push({ address: `${address}#${index}`, who: message.role, text });
  }
  return turns.slice(-MAX_TURNS);
}
