/**
 * The indexes of this home and of a team as one: one list, one scale. Only reading and searching conversations includes
 * the team's; everything about agents' files and syncing is about this home alone.
 */
import type { ConversationMeta, Role } from "../../conversations/model.ts";
import type { Format } from "../../conversations/render.ts";
import type { MessageHit, TermCounts, TermShare, TextHit, TextHits } from "../../ranking/hits.ts";
import type { Holders } from "../../ranking/holders.ts";
import { JoinedSource } from "../../ranking/joined_source.ts";
import type { IndexedTexts } from "../../ranking/ports.ts";
import type { TermQuery, VectorModel } from "../../ranking/query.ts";
import type { NearTerm } from "../../ranking/spelling.ts";
import { TextIndex } from "../../ranking/text_index.ts";
import type { ArchiveBlock } from "../archive/archive.ts";
import type { IndexReader } from "../index_reader.ts";
import type {
  ActivityRow,
  ArchivedRow,
  CommitRow,
  ConversationFilter,
  ConversationRow,
  FileRow,
  FileUse,
  IndexTotals,
  MessageRow,
  MessageSizes,
  ShellRun,
} from "../ports.ts";
import type { TrailReader } from "../trails.ts";
import type { RequestRow, TextRow, UsageRow } from "../usage.ts";
import type { VectorCoverage, VectorGap } from "../vector_gaps.ts";
import { joinedCatalogue, localFilter, teamFilter } from "./catalogue.ts";
import { LastAnswers } from "./last_answers.ts";
import { shiftAbove } from "./numbers.ts";
import { joinedTrail } from "./trail.ts";

type Accept = (no: number, index: number | null) => boolean;

export class JoinedReader implements IndexReader {
  readonly #local: IndexReader;
  readonly #team: IndexReader;
  readonly home: { owner: string; machine: string };
  readonly #texts: TextIndex<ConversationFilter>;
  readonly texts: IndexedTexts<ConversationFilter>;
  readonly #holders: LastAnswers<Holders>;
  #shift = 0;

  /** `home`: the member that this home belongs to, and the machine. The caller closes both. */
  constructor(local: IndexReader, team: IndexReader, home: { owner: string; machine: string }) {
    this.#local = local;
    this.#team = team;
    this.home = home;
    const [ofLocal, ofTeam] = [local.texts, team.texts];
    const shift = (): number => this.#shiftOfTeam();
    const source = new JoinedSource([
      { source: ofLocal.source, shift: () => 0 },
      { source: ofTeam.source, shift },
    ]);
    const boosts = new LastAnswers<ReadonlyMap<number, number>>(source);
    const catalogues = { local: ofLocal.catalogue, team: ofTeam.catalogue };
    this.texts = { source, catalogue: joinedCatalogue({ ...catalogues, shift, me: home.owner, boosts }) };
    this.#texts = new TextIndex(source, this.texts.catalogue);
    this.#holders = new LastAnswers(source);
  }

  readonly isShared = (no: number): boolean => no >= this.#shiftOfTeam();

  #shiftOfTeam(): number {
    if (this.#shift === 0) this.#shift = shiftAbove(this.#local.texts.catalogue.extent().largest);
    return this.#shift;
  }

  get trail(): TrailReader {
    return joinedTrail(this.#local.trail, this.#team.trail, this.#shiftOfTeam());
  }

  /** Calls the reader that contains the conversation, with its number there. */
  #of<T>(no: number, ask: (reader: IndexReader, no: number) => T): T {
    return this.isShared(no) ? ask(this.#team, no - this.#shiftOfTeam()) : ask(this.#local, no);
  }

  #shared(rows: readonly ConversationRow[]): ConversationRow[] {
    return rows.map((row) => ({ ...row, no: row.no + this.#shiftOfTeam() }));
  }

  totals(): IndexTotals {
    const [own, shared] = [this.#local.totals(), this.#team.totals()];
    const sources = { ...own.sources };
    for (const [source, count] of Object.entries(shared.sources)) sources[source] = (sources[source] ?? 0) + count;
    return {
      conversations: own.conversations + shared.conversations,
      messages: own.messages + shared.messages,
      tokens: own.tokens + shared.tokens,
      earliest: least(own.earliest, shared.earliest, Math.min),
      latest: least(own.latest, shared.latest, Math.max),
      sources,
    };
  }

  projects(limit: number): { project: string; conversations: number; updated: number }[] {
    const known = new Map(this.#local.projects(limit).map((each) => [each.project, each]));
    for (const each of this.#team.projects(limit)) if (!known.has(each.project)) known.set(each.project, each);
    return [...known.values()].slice(0, limit);
  }

  list(filter: ConversationFilter, limit: number, offset: number): ConversationRow[] {
    const [own, shared] = this.#filters(filter);
    const rows = [
      ...(own ? this.#local.list(own, limit + offset, 0) : []),
      ...this.#shared(shared ? this.#team.list(shared, limit + offset, 0) : []),
    ];
    return rows.sort((a, b) => b.updated - a.updated || (a.id < b.id ? -1 : 1)).slice(offset, offset + limit);
  }

  count(filter: ConversationFilter): number {
    const [own, shared] = this.#filters(filter);
    return (own ? this.#local.count(own) : 0) + (shared ? this.#team.count(shared) : 0);
  }

  #filters(filter: ConversationFilter): [ConversationFilter | undefined, ConversationFilter | undefined] {
    const shift = this.#shiftOfTeam();
    return [localFilter(filter, shift, this.home.owner), teamFilter(filter, shift)];
  }

  activity(filter: ConversationFilter): ActivityRow[] {
    return this.#local.activity(filter);
  }

  byNo(no: number): ConversationRow | undefined {
    return this.#of(no, (reader, own) => {
      const row = reader.byNo(own);
      return row && { ...row, no };
    });
  }

  byPrefix(prefix: string, source?: string, limit?: number): ConversationRow[] {
    const own = this.#local.byPrefix(prefix, source, limit);
    const rows = [...own, ...this.#shared(this.#team.byPrefix(prefix, source, limit))];
    const exact = rows.filter(({ id }) => id === prefix);
    return (exact.length > 0 ? exact : rows).slice(0, limit);
  }

  idNeighbours(id: string): { same: number; before: string; after: string } {
    const [own, shared] = [this.#local.idNeighbours(id), this.#team.idNeighbours(id)];
    const [before = ""] = [own.before, shared.before].sort().reverse();
    const [after = ""] = [own.after, shared.after].filter((each) => each !== "").sort();
    return { same: own.same + shared.same, before, after };
  }

  ids(): { source: string; id: string }[] {
    return [...this.#local.ids(), ...this.#team.ids()];
  }

  storedMeta(no: number): ConversationMeta | undefined {
    return this.#of(no, (reader, own) => reader.storedMeta(own));
  }

  children(id: string): ConversationRow[] {
    return [...this.#local.children(id), ...this.#shared(this.#team.children(id))];
  }

  childCount(id: string): number {
    return this.#local.childCount(id) + this.#team.childCount(id);
  }

  wordOrder(no: number, index: number): Uint16Array | undefined {
    return this.#of(no, (reader, own) => reader.wordOrder(own, index));
  }

  messages(no: number, from?: number, to?: number): MessageRow[] {
    return this.#of(no, (reader, own) => reader.messages(own, from, to));
  }

  sizes(no: number, format: Format, from: number, to: number): MessageSizes {
    return this.#of(no, (reader, own) => reader.sizes(own, format, from, to));
  }

  blocks(no: number, from?: number, to?: number): ArchiveBlock[] {
    return this.#of(no, (reader, own) => reader.blocks(own, from, to));
  }

  files(no: number, how?: FileUse): FileRow[] {
    return this.#of(no, (reader, own) => reader.files(own, how));
  }

  commits(no: number): CommitRow[] {
    return this.#of(no, (reader, own) => reader.commits(own));
  }

  usage(filter: ConversationFilter): UsageRow[] {
    return this.#local.usage(filter);
  }

  requests(filter: ConversationFilter): RequestRow[] {
    return this.#local.requests(filter);
  }

  unrecorded(filter: ConversationFilter): TextRow[] {
    return this.#local.unrecorded(filter);
  }

  shellRuns(filter: ConversationFilter, containing: readonly string[], limit: number): ShellRun[] {
    return this.#local.shellRuns(filter, containing, limit);
  }

  fileCounts(nos: readonly number[]): Map<number, { files: number; commits: number }> {
    const none = { files: 0, commits: 0 };
    return new Map(nos.map((no) => [no, this.#of(no, (reader, own) => reader.fileCounts([own]).get(own) ?? none)]));
  }

  stamps(): ReadonlyMap<string, string> {
    return this.#local.stamps();
  }

  containerState(source: string, path: string): string | null {
    return this.#local.containerState(source, path);
  }

  archiveSizes(): Map<string, { no: number; bytes: number }> {
    return this.#local.archiveSizes();
  }

  archivedConversations(): ArchivedRow[] {
    return this.#local.archivedConversations();
  }

  malformed(): { source: string; path: string; malformed: number }[] {
    return this.#local.malformed();
  }

  leftOut(): { source: string; path: string; reasons: Record<string, number> }[] {
    return this.#local.leftOut();
  }

  failedContainers(): { source: string; path: string; error: string }[] {
    return this.#local.failedContainers();
  }

  vectorCoverage(): VectorCoverage {
    return this.#local.vectorCoverage();
  }

  vectorGap(model: VectorModel, maxTexts: number): VectorGap | undefined {
    return this.#local.vectorGap(model, maxTexts);
  }

  getValue(key: string): string | undefined {
    return this.#local.getValue(key);
  }

  searchTexts(query: TermQuery, filter: ConversationFilter, limit: number, offset: number, accept?: Accept): TextHits {
    return this.#texts.search(query, filter, limit, offset, accept);
  }

  bestTexts(query: TermQuery, filter: ConversationFilter, limit: number): TextHit[] {
    return this.#texts.best(query, filter, limit);
  }

  countRoles(query: TermQuery, filter: ConversationFilter, nos: readonly number[], accept?: Accept): Map<Role, number> {
    return this.#texts.countRoles(query, filter, nos, accept);
  }

  holders(terms: readonly string[], query: TermQuery, filter: ConversationFilter, more?: readonly string[]): Holders {
    const { role, mark, excluded } = query;
    const key = [terms, role, mark, excluded, filter, more];
    return this.#holders.of(key, () => this.#texts.holders(terms, query, filter, more));
  }

  searchMessages(query: TermQuery, filter: ConversationFilter, limit: number): MessageHit[] {
    return this.#texts.searchMessages(query, filter, limit);
  }

  explain(query: TermQuery, no: number, index: number): TermShare[] {
    return this.#texts.explain(query, no, index);
  }

  countTerms(terms: readonly string[]): TermCounts {
    return this.#texts.countTerms(terms);
  }

  nearTerms(term: string): NearTerm[] {
    return this.#texts.nearTerms(term);
  }

  inSnapshot<T>(read: () => T): T {
    return this.#local.inSnapshot(() => this.#team.inSnapshot(read));
  }

  close(): void {
    this.#team.close();
    this.#local.close();
  }
}

function least(a: number | null, b: number | null, choose: (a: number, b: number) => number): number | null {
  return a === null || b === null ? (a ?? b) : choose(a, b);
}
