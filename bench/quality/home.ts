/** A separate dex for one set: filled by dex's own import or sync, queried by its own search. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentVectors } from "../../src/collections/embed.ts";
import { Dex } from "../../src/dex.ts";
import { fillVectors, providerTexts } from "../../src/embedding/fill.ts";
import { openMiniLm } from "../../src/embedding/minilm/minilm.ts";
import { search } from "../../src/operations/conversations/search.ts";
import { docsAdd } from "../../src/operations/docs/collections/add.ts";
import { docsSearch } from "../../src/operations/docs/search.ts";
import { importFile } from "../../src/operations/upkeep/import.ts";
import { sync } from "../../src/operations/upkeep/sync.ts";
import type { TermQuery } from "../../src/ranking/query.ts";
import type { WeightedEvidence } from "../../src/ranking/scores/evidence.ts";
import { findPassages } from "../../src/search/documents.ts";
import { loadMessages } from "../../src/search/messages.ts";
import { parseQuery } from "../../src/search/query/query.ts";
import { vectorsOf } from "../../src/search/query/vector.ts";
import { conversationVectors } from "../../src/sync/embedding/index_vectors.ts";
import { cachedProvider } from "./cached_provider.ts";
import type { Item } from "./data.ts";
import type { Configuration } from "./figures.ts";

const ALL = 1_000_000;

/** Kept between runs. */
const VECTOR_CACHE = join(import.meta.dirname, "../../.cache/quality-minilm");

/** An item that was found, its score, and the evidence in that. */
export interface ScoredItem {
  id: string;
  score: number;
  evidence: readonly WeightedEvidence[];
}

export class QualityHome {
  dex: Dex;
  /** The same home with the second model, once it has embedded. */
  #second: Dex | undefined;
  readonly #folder: string;
  readonly #files = new Map<string, string>();
  #messageIds: Map<string, string> | undefined;

  private constructor(dex: Dex, folder: string) {
    this.dex = dex;
    this.#folder = folder;
  }

  /** Nothing of the environment reaches it: settings and agents' folders are those of an empty home. */
  static async open(folder: string): Promise<QualityHome> {
    mkdirSync(folder, { recursive: true });
    const vars = { HOME: folder, DEX_HOME: join(folder, "dex"), TZ: "UTC" };
    return new QualityHome(await Dex.open({ vars, cwd: folder }), folder);
  }

  /** Embeds conversations and documents with MiniLM, whose packages are installed below `packages`. */
  async embed(packages: string): Promise<void> {
    const { paths } = this.dex;
    const installed = join(paths.home, "node_modules");
    if (!existsSync(installed)) symlinkSync(join(packages, "node_modules"), installed);
    const provider = cachedProvider(await openMiniLm(paths.home), VECTOR_CACHE);
    const fresh = (): Dex["store"] => {
      this.dex.reopen();
      return this.dex.store;
    };
    const kept = this.dex.store.vectorCoverage().models.map(({ model }) => model.name);
    await fillVectors({ kept }, conversationVectors(this.dex, fresh), providerTexts(provider));
    if (existsSync(paths.documents)) {
      const documents = documentVectors(paths);
      await fillVectors({ kept }, documents, providerTexts(provider));
      documents.close();
    }
    await provider.close();
    const vars = { ...this.dex.vars, DEX_EMBEDDING_PROVIDER: "minilm" };
    this.#second?.close();
    this.#second = await Dex.open({ vars, cwd: this.dex.cwd });
  }

  /** The same home as the tier sees it. */
  dexFor(tier: Configuration["tier"]): Dex {
    if (tier !== "minilm") return this.dex;
    if (!this.#second) throw new Error("MiniLM has not embedded this set");
    return this.#second;
  }

  close(): void {
    this.#second?.close();
    this.dex.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Items with a session become the messages of one conversation per session; others a conversation each. */
  async import(items: readonly Item[]): Promise<void> {
    const file = join(this.#folder, "corpus.jsonl");
    writeFileSync(file, items.map((item) => `${JSON.stringify(plainLine(item))}\n`).join(""));
    const { malformed, problems } = await importFile.run(this.dex, importFile.input.parse({ file }), {});
    if (malformed > 0) throw new Error(`${malformed} lines were not imported; the first: ${problems[0]?.message}`);
  }

  async sync(home: string): Promise<void> {
    const { failed } = await sync.run(this.dex, sync.input.parse({ home }), {});
    if (failed.length > 0) throw new Error(`${failed[0]?.path} was not read: ${failed[0]?.error}`);
  }

  /** A file for each item, in one collection: Markdown, or plain text for code without a title. */
  async collect(items: readonly Item[]): Promise<void> {
    const folder = join(this.#folder, "documents");
    mkdirSync(folder);
    for (const [i, { id, title, text }] of items.entries()) {
      const file = `${i}.${title ? "md" : "txt"}`;
      this.#files.set(file, id);
      writeFileSync(join(folder, file), title ? `# ${title}\n\n${text}\n` : text);
    }
    const input = docsAdd.input.parse({ name: "items", source: [folder], global: true });
    const { added, skipped, failed } = (await docsAdd.run(this.dex, input, {})).collection;
    // An item without text is not a document.
    const lost =
      items.length - added - skipped.filter(({ path }) => itemIsEmpty(items[Number.parseInt(path, 10)])).length;
    if (lost > 0)
      throw new Error(`${lost} files were not added: ${JSON.stringify([...failed, ...skipped].slice(0, 3))}`);
    this.dex.close();
    this.dex = await Dex.open({ vars: this.dex.vars, cwd: this.dex.cwd });
  }

  /** Ids of the items that passages are of, best first. */
  async passages(query: string, configuration: Configuration, limit: number): Promise<string[]> {
    if (!parseQuery(query)) return [];
    const input = docsSearch.input.parse({ ...configuration.options, query, limit: limit * 2 });
    const { results } = await docsSearch.run(this.dexFor(configuration.tier), input, {});
    return [...new Set(results.map(({ document }) => this.#files.get(document) ?? document))].slice(0, limit);
  }

  /** The same for a query whose vectors are known. */
  async passageIds(asked: TermQuery, limit: number, dex: Dex): Promise<string[]> {
    return [...new Set((await this.scoredPassages(asked, limit, dex)).map(({ id }) => id))].slice(0, limit);
  }

  async scoredPassages(asked: TermQuery, limit: number, dex: Dex): Promise<ScoredItem[]> {
    const library = await dex.library();
    const { hits } = findPassages(library, { asked, words: [], phrases: [] }, library.filter, limit * 2);
    return hits.map(({ no, score, evidence }) => {
      const file = library.reader.document(no)?.path ?? "";
      return { id: this.#files.get(file) ?? file, score, evidence };
    });
  }

  /** Ids of conversations, best first; of one project only, where it is given. */
  async conversations(query: string, configuration: Configuration, limit: number, project?: string): Promise<string[]> {
    if (!parseQuery(query)) return [];
    const { options } = configuration;
    const input = search.input.parse({ ...options, query, limit, ...(project === undefined ? {} : { project }) });
    const { results } = await search.run(this.dexFor(configuration.tier), input, {});
    return results.map(({ id }) => id);
  }

  /** Ids of messages of one project, best first, as the corpus names them. */
  async messages(query: string, configuration: Configuration, limit: number, project: string): Promise<string[]> {
    const parsed = parseQuery(query);
    if (!parsed) return [];
    const { mode } = search.input.parse({ ...configuration.options, query });
    const dex = this.dexFor(configuration.tier);
    return this.messageIds({ ...parsed, ...(await vectorsOf(parsed, dex, mode)) }, limit, project, dex);
  }

  messageIds(asked: TermQuery, limit: number, project: string, dex: Dex): string[] {
    return this.scoredMessages(asked, limit, project, dex).map(({ id }) => id);
  }

  scoredMessages(asked: TermQuery, limit: number, project: string, dex: Dex): ScoredItem[] {
    this.#messageIds ??= this.#readMessageIds();
    const ids = this.#messageIds;
    return dex.store.searchMessages(asked, { project }, limit).map(({ no, index, score, evidence }) => {
      const id = ids.get(`${no}#${index}`);
      if (id === undefined) throw new Error(`message ${index} of conversation ${no} has no id`);
      return { id, score, evidence };
    });
  }

  /** From dex's archive, not from the imported file: a message that was lost or moved is noticed. */
  #readMessageIds(): Map<string, string> {
    const ids = new Map<string, string>();
    for (const row of this.dex.store.list({}, ALL, 0)) {
      for (const { index, message } of loadMessages(this.dex, row)) {
        if (message.uid !== undefined) ids.set(`${row.no}#${index}`, message.uid);
      }
    }
    return ids;
  }
}

function itemIsEmpty(item: Item | undefined): boolean {
  return item?.text.trim() === "";
}

/** The filter matches a part of the path, so the name is closed on both sides: `a-1` is not in `a-10`. */
export function projectOf(conversation: string): string {
  return `/${conversation}/chat`;
}

/** Without the characters that dex replaces in ids. */
export function conversationOf(session: string): string {
  return session.replaceAll(/[^A-Za-z0-9]+/g, "-");
}

function plainLine(item: Item): Record<string, string | undefined> {
  const { id, title, text, conversation, session, role, speaker } = item;
  if (session === "") return { conversation: id, message: id, role, title, text };
  // The speaker's name is part of the text in a chat between people; "user" and "assistant" are roles, and stay roles.
  const said = speaker === "" || speaker === role ? text : `${speaker}: ${text}`;
  return { conversation: conversationOf(session), message: id, role, project: projectOf(conversation), text: said };
}
