/** Searches the texts of messages and titles, with the ranking over the segments in this database. */
import type { Role } from "../../../conversations/model.ts";
import type { MessageHit, TermCounts, TermShare, TextHit, TextHits } from "../../../ranking/hits.ts";
import type { Holders } from "../../../ranking/holders.ts";
import type { IndexedTexts } from "../../../ranking/ports.ts";
import type { TermQuery } from "../../../ranking/query.ts";
import type { NearTerm } from "../../../ranking/spelling.ts";
import { TextIndex } from "../../../ranking/text_index.ts";
import type { ConversationFilter, TextSearch } from "../../ports.ts";
import { Connection } from "../connection.ts";
import { SqliteSegmentSource } from "../texts/source.ts";
import { conversationCatalogue } from "./catalogue.ts";

export class SqliteTextSearch extends Connection implements TextSearch {
  #texts: TextIndex<ConversationFilter> | undefined;

  searchTexts(
    query: TermQuery,
    filter: ConversationFilter,
    limit: number,
    offset: number,
    accept?: (no: number, index: number | null) => boolean,
  ): TextHits {
    return this.inSnapshot(() => this.#textIndex.search(query, filter, limit, offset, accept));
  }

  bestTexts(query: TermQuery, filter: ConversationFilter, limit: number): TextHit[] {
    return this.inSnapshot(() => this.#textIndex.best(query, filter, limit));
  }

  holders(terms: readonly string[], query: TermQuery, filter: ConversationFilter, more?: readonly string[]): Holders {
    return this.inSnapshot(() => this.#textIndex.holders(terms, query, filter, more));
  }

  countRoles(
    query: TermQuery,
    filter: ConversationFilter,
    nos: readonly number[],
    accept?: (no: number, index: number | null) => boolean,
  ): Map<Role, number> {
    return this.inSnapshot(() => this.#textIndex.countRoles(query, filter, nos, accept));
  }

  explain(query: TermQuery, no: number, index: number): TermShare[] {
    return this.inSnapshot(() => this.#textIndex.explain(query, no, index));
  }

  countTerms(terms: readonly string[]): TermCounts {
    return this.inSnapshot(() => this.#textIndex.countTerms(terms));
  }

  nearTerms(term: string): NearTerm[] {
    return this.inSnapshot(() => this.#textIndex.nearTerms(term));
  }

  get #textIndex(): TextIndex<ConversationFilter> {
    const { source, catalogue } = this.texts;
    this.#texts ??= new TextIndex(source, catalogue);
    return this.#texts;
  }

  get texts(): IndexedTexts<ConversationFilter> {
    return { source: new SqliteSegmentSource(this.prepare), catalogue: conversationCatalogue(this.prepare) };
  }

  searchMessages(query: TermQuery, filter: ConversationFilter, limit: number): MessageHit[] {
    return this.inSnapshot(() => this.#textIndex.searchMessages(query, filter, limit));
  }
}
