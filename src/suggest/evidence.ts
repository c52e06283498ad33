/**
 * The contract of a provider: it reads the project view and returns candidates with the evidence for each. A provider
 * states what it found and how strong that is; only the scale turns strength into a chance of use.
 */
import type { Decision } from "../decisions/decision.ts";
import type { CommitLinks } from "../history/links.ts";
import type { Repository } from "../history/repository.ts";
import type { DeprecatedCode } from "../project/deprecations/deprecations.ts";
import type { TextHit } from "../ranking/hits.ts";
import type { TermQuery } from "../ranking/query.ts";
import type { CodeReader, EntityRow } from "../store/code.ts";
import type { HistoryReader } from "../store/history.ts";
import type { SeenOutcome } from "../store/history_records.ts";
import type { ConversationReader, ConversationRow, FileRow, TextSearch } from "../store/ports.ts";
import type { LikelyFile } from "./files/likely.ts";
import type { NearConversation } from "./files/prompt/past.ts";
import type { Activity, ItemType, SuggestionItem } from "./model.ts";
import type { Origin } from "./origins.ts";
import type { EvidenceKind, KindShifts } from "./scale.ts";
import type { DocumentFinder } from "./view/documents.ts";

export interface Evidence {
  kind: EvidenceKind;
  /** From 0 to 1; the kind's line in `scale.ts` says what it measures. */
  strength: number;
  /** Several measures, for kinds with weights in `scale.ts`; `strength` is then ignored. */
  features?: Readonly<Record<string, number>>;
  /**
   * How certain it is that the work is about the source of this evidence: 1 for the open file, less for a recent one.
   */
  share: number;
  reason: string;
}

export interface Candidate extends Omit<SuggestionItem, "relevanceScore" | "reason" | "title" | "summary" | "from"> {
  /** Functions if the text needs a lookup in the store or a quotation; called only for items that are shown. */
  title: string | (() => string);
  summary: string | (() => string);
  /** Replaces `actionUrl`; called only for items that are shown. Absent if the address says it all. */
  origin?: () => Origin;
  evidence: Evidence[];
}

/** A file the work is about. */
export interface FocusFile {
  /** From the root of the repository, with `/`. */
  path: string;
  share: number;
  how: "open" | "named" | "recent" | "changed" | "committed";
}

/** The subject of the activity, in the names of the repository and the code graph. */
export interface Focus {
  /** The most certain first; the open file, if there is one, is the first. */
  files: readonly FocusFile[];
  /** Definitions at the cursor or named in the prompt. */
  symbols: readonly EntityRow[];
  /** Names of symbols, including those that are not in the graph. */
  names: readonly string[];
  /** The prompt as a query. */
  question: TermQuery | undefined;
  /** Conversations of this same work: the session, its ancestors and its subagents. */
  own: ReadonlySet<number>;
}

/** Everything a provider may read. Expensive values are lazy. */
export interface ProjectView {
  activity: Activity;
  focus: Focus;
  repository: Repository;
  history: HistoryReader;
  /** Undefined if the code was never indexed. */
  graph: CodeReader | undefined;
  links: CommitLinks;
  index: ConversationReader & TextSearch;
  /** The files of a conversation, read once. */
  filesIn(no: number): readonly FileRow[];
  /** Whether the caller wants suggestions from this conversation. */
  isChosen(row: Pick<ConversationRow, "team">): boolean;
  /** Past conversations similar to the prompt, the best first, without the session's own. Searched once. */
  near(): readonly TextHit[];
  /** The cosine similarity of a text to the prompt; null if there is no prompt or no model that knows its words. */
  likeness(text: string): number | null;
  /** Files likely to be edited with given files, or because of the prompt, with the probability. */
  likely: LikelyFiles;
  /** The shifts of each kind of evidence that the project's own past suggests. */
  shifts: KindShifts;
  /**
   * The least chance at which an item of this type is useful to the caller. Providers need not look up items that
   * cannot reach it.
   */
  least(type: ItemType): number;
  /** Decisions in force. */
  decisions(): readonly Decision[];
  /** Tests whose last known run failed. */
  failing(): readonly SeenOutcome[];
  deprecated(): readonly DeprecatedCode[];
  /** Undefined if there is no readable documentation. */
  documents: DocumentFinder | undefined;
  /** Files that differ from the last commit; undefined if git was not asked or failed. */
  changed: readonly string[] | undefined;
  now: number;
  recentChangeDays: number;
}

export interface LikelyFiles {
  with(files: readonly string[]): readonly LikelyFile[];
  /** The same for a file that a prompt merely names; empty for callers that push. */
  withNamed(file: string): readonly LikelyFile[];
  for(prompt: string, near: readonly NearConversation[]): readonly LikelyFile[];
}

export type SuggestionProvider = (view: ProjectView) => Candidate[];
