/**
 * What a provider gives: things that may be worth knowing, each with what speaks for it. A provider states what it saw
 * and how strong that was; how likely that makes a use is the scale's business alone.
 */
import type { Decision } from "../decisions/decision.ts";
import type { Partner } from "../history/cochange.ts";
import type { CommitLinks } from "../history/links.ts";
import type { Repository } from "../history/repository.ts";
import type { TextHit } from "../ranking/hits.ts";
import type { TermQuery } from "../ranking/query.ts";
import type { CodeReader, EntityRow } from "../store/code.ts";
import type { HistoryReader, SeenOutcome } from "../store/history.ts";
import type { ConversationReader, TextSearch } from "../store/ports.ts";
import type { DocumentFinder } from "./documents.ts";
import type { LikelyFile } from "./files/likely.ts";
import type { NearConversation } from "./files/prompt.ts";
import type { Activity, SuggestionItem } from "./model.ts";
import type { EvidenceKind } from "./scale.ts";

export interface Evidence {
  kind: EvidenceKind;
  /** From 0 to 1; what it measures is said at the kind's line of the scale. */
  strength: number;
  /** How surely the work is about what this evidence starts from: 1 for the open file, less for one of the last minutes. */
  share: number;
  reason: string;
}

export interface Candidate extends Omit<SuggestionItem, "relevanceScore" | "reason" | "summary"> {
  /** A function where words cost a look at the store: only what is shown is put into words. */
  summary: string | (() => string);
  evidence: Evidence[];
}

/** A file that the work is about. */
export interface FocusFile {
  /** From the root of the repository, with `/`. */
  path: string;
  share: number;
  how: "open" | "named" | "recent" | "changed";
}

/** What the activity is about, as the repository and the graph name it. */
export interface Focus {
  /** The surest first; the open file, where there is one, is the first. */
  files: readonly FocusFile[];
  /** Definitions that were pointed at or named. */
  symbols: readonly EntityRow[];
  /** Their names, also of those that no graph knows. */
  names: readonly string[];
  /** What the agent was asked, as a query. */
  question: TermQuery | undefined;
  /** Conversations that are this very work: the session, what it was started from and what it started. */
  own: ReadonlySet<number>;
}

export interface Deprecated {
  symbol: string;
  file: string;
  line: number;
  message: string;
  users: readonly string[];
  /** The graph shows the uses; otherwise the name stands there. */
  sure: boolean;
}

/** All that providers may look at. What is dear to get is asked for only by who needs it. */
export interface Ground {
  activity: Activity;
  focus: Focus;
  repository: Repository;
  history: HistoryReader;
  /** Undefined where the code was never read. */
  graph: CodeReader | undefined;
  links: CommitLinks;
  index: ConversationReader & TextSearch;
  /** Past conversations near what is asked, the best first; none of the session's own. Searched once. */
  near(): readonly TextHit[];
  /** Files that are touched with these, or that the prompt leads to, with the chance of it. */
  likely: LikelySource;
  /** Files that changed with this one before, the likeliest first; asked once for each. */
  partners(path: string): readonly Partner[];
  /** Decisions in force. */
  decisions(): readonly Decision[];
  /** Tests whose last result is a failure. */
  failing(): readonly SeenOutcome[];
  deprecated(): readonly Deprecated[];
  /** Undefined: nobody looked. */
  documents: DocumentFinder | undefined;
  /** Files that differ from the last commit; undefined: nobody looked. */
  changed: readonly string[] | undefined;
  now: number;
  recentChangeDays: number;
}

export interface LikelySource {
  with(files: readonly string[]): readonly LikelyFile[];
  for(prompt: string, near: readonly NearConversation[]): readonly LikelyFile[];
}

export type Provider = (ground: Ground) => Candidate[];
