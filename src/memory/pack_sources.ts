/** Where the parts of a pack come from. Nothing here depends on the clock: same state, same parts. */

import { typedText } from "../conversations/typed_text.ts";
import { matchDecisions } from "../decisions/search.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { decisionsOf } from "../project/decisions.ts";
import type { OpenRepository } from "../project/repository.ts";
import type { RunContext } from "../run_context.ts";
import { SEARCH_DEFAULTS } from "../search/conversations.ts";
import { isTopLevel } from "../search/describe.ts";
import { shortAddresses } from "../search/filters/resolve.ts";
import { loadMessages, streamMessages } from "../search/messages.ts";
import type { SearchResult } from "../search/result_schema.ts";
import { searchIn } from "../search/search.ts";
import type { Memory } from "../store/memories.ts";
import type { ConversationRow } from "../store/ports.ts";
import { chanceOfLead, leadsOf } from "../suggest/scale.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { accountOf } from "./account.ts";
import type { Lead, PackDecision, Turn } from "./pack.ts";
import { memoriesHere } from "./save.ts";
import { matchMemories } from "./saved.ts";
import { readSummary } from "./summaries.ts";
import { extractive, isOf, type Summary, withFindings } from "./summary.ts";
import { earlierLine, summaryLine } from "./telling.ts";

/** Conversations told one by one, and those told as one. */
const TOLD = 8;
const EARLIER = 150;
/** A longer one that has no summary yet is told when `dex compact` has made it. */
const MOST_READ = 4000;
const MOST_DECISIONS = 40;
const MOST_LEADS = 8;
/** The chance from which another project is worth a line. */
const LIKELY = 0.5;
const MOST_DOCUMENTS = 3;
const MOST_NOTES = 4;
const MOST_TURNS = 6;
/** Messages looked through from the end for what was said. */
const TAIL = 200;

/** Pins first, then what people prefer: both hold whatever the task is. */
export function standing(memories: readonly Memory[]): Memory[] {
  return [...memories.filter(({ kind }) => kind === "pin"), ...memories.filter(({ kind }) => kind === "preference")];
}

/** In force, those about the task first. */
export async function decisionsFor(
  dex: Dex,
  open: OpenRepository,
  task: string | undefined,
  context: RunContext,
): Promise<PackDecision[]> {
  const held = (await decisionsOf(dex, open, context)).filter(
    ({ status, shown }) => shown && (status === "accepted" || status === "proposed"),
  );
  const about = task === undefined ? [] : matchDecisions(held, task);
  const rest = held.filter((each) => !about.includes(each)).sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1));
  const address = shortAddresses(dex);
  return [...about, ...rest].slice(0, MOST_DECISIONS).map(({ id, text, because, place, time, owner }) => {
    // Said in a conversation: its address in few characters.
    const [conversation = "", index] = place.split("#");
    const source = owner.split(":")[0] ?? "";
    const short = index === undefined ? place : `${address({ id: conversation, source })}#${index}`;
    return { id, text, because, place: short, time };
  });
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
  const told = rows.slice(0, TOLD).flatMap((row) => {
    const summary = summaryFor(dex, row);
    return summary ? [summaryLine(summary, address(row), root)] : [];
  });
  const earlier = rows.slice(TOLD, TOLD + EARLIER).flatMap((row) => readSummary(dex.paths.summaries, row) ?? []);
  const before = earlierLine(earlier, root);
  return before === undefined ? told : [...told, before];
}

/** As it was kept, or read anew where the conversation went on since. */
function summaryFor(dex: Dex, row: ConversationRow): Summary | undefined {
  const kept = readSummary(dex.paths.summaries, row);
  if ((kept && isOf(kept, row)) || row.messages > MOST_READ) return kept;
  const own = extractive(
    row,
    accountOf(row, () => streamMessages(dex, row)),
  );
  return kept?.engine === "model" && kept.model ? withFindings(own, kept.model, kept.findings) : own;
}

/** For the task: conversations of the project, then of others, documents and notes. Without one there is nothing to find. */
export async function leadsFor(
  dex: Dex,
  task: string | undefined,
  root: string,
  without: ReadonlySet<string>,
  context: RunContext,
): Promise<Lead[]> {
  if (task === undefined) return [];
  const here = await found(dex, task, { project: root, limit: MOST_LEADS }, context);
  const elsewhere = here.length < MOST_LEADS ? likely(await found(dex, task, { limit: MOST_LEADS }, context)) : [];
  const documents = await found(dex, task, { in: "documents", limit: MOST_DOCUMENTS }, context);
  const seen = new Set<string>(without);
  const address = shortAddresses(dex);
  const conversations = [...here, ...elsewhere].filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, MOST_LEADS);
  const notes = matchMemories(
    memoriesHere(dex, root).filter(({ kind }) => kind === "note" || kind === "gotcha"),
    task,
  );
  return [
    ...notes.slice(0, MOST_NOTES).map((note) => noteLead(note)),
    ...conversations.map((each) => ({ ...leadOf(each), address: `${address(each)}#${each.message_index}` })),
    ...documents.map(leadOf),
  ];
}

/** Of another project's conversations only those that are probably about the same. */
function likely(results: readonly SearchResult[]): SearchResult[] {
  const leads = leadsOf(results.map(({ score_final }) => score_final));
  return results.filter(({ score_vec }, i) => chanceOfLead(leads[i] ?? 0, score_vec) >= LIKELY);
}

async function found(
  dex: Dex,
  query: string,
  narrowed: { project?: string; in?: "documents"; limit: number },
  { notice }: RunContext,
): Promise<SearchResult[]> {
  try {
    // Of the context only the notices: the trace is that of the pack.
    return (await searchIn(dex, { ...SEARCH_DEFAULTS, query, ...narrowed }, notice ? { notice } : {})).results;
  } catch (error) {
    if (error instanceof DexError && error.code === "empty_query") return [];
    throw error;
  }
}

function leadOf({ id, title, date, estimated_tokens }: SearchResult): Lead {
  return { address: id, title, time: Date.parse(date), tokens: estimated_tokens };
}

function noteLead({ id, kind, text, updated }: Memory): Lead {
  return { address: id, title: `${kind}: ${text}`, time: updated, tokens: estimateTokens(text) };
}

/** What a person and an agent said last, in their own words. */
export function lastTurns(dex: Dex, row: ConversationRow): Turn[] {
  const address = shortAddresses(dex)(row);
  const messages = loadMessages(dex, row, Math.max(0, row.messages - TAIL), row.messages);
  return messages
    .flatMap(({ index, message }): Turn[] => {
      if (message.role !== "user" && message.role !== "assistant") return [];
      const text = typedText(message);
      return text === "" ? [] : [{ address: `${address}#${index}`, who: message.role, text }];
    })
    .slice(-MOST_TURNS);
}
