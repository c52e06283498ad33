/**
 * A web site, or the part of one below an address: the pages listed in its llms.txt, else in its sitemap, else those found
 * by following links. The crawl obeys robots.txt, sends few requests at a time, and fetches a page again only if it changed.
 */
import { gunzipSync } from "node:zlib";
import { formatOfName } from "../../documents/parse.ts";
import { DexError } from "../../kernel/errors.ts";
import { formatCount } from "../../kernel/text.ts";
import type { CollectionSource } from "../declaring/source.ts";
import { getWeb, type WebAnswer } from "../net/fetch.ts";
import { ALLOWS_ALL, FORBIDS_ALL, parseRobots, type Robots } from "../net/robots.ts";
import type { GatherContext, Gathered, KnownFile } from "./gather.ts";
import { listedLinks, pageLinks, sitemapLinks } from "./links.ts";
import { isHtml, isInside, pathOf, prefixOf, typeOf } from "./page_paths.ts";
import { selector } from "./walk.ts";
import { requireOk, validators } from "./web_answer.ts";

const AT_ONCE = 4;
const MAX_SITEMAPS = 50;
/** The limit of the sitemap protocol. */
const MAX_SITEMAP_BYTES = 50 << 20;
/** Files that are not pages; a crawl never requests them. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|json|map|woff2?|ttf|eot|mp4|webm|mp3|zip|gz|tgz|exe|dmg|xml|rss|atom)$/i;

/** A sitemap may be a gzip file regardless of its headers. A broken or too large one counts as empty. */
function sitemapText(bytes: Buffer, maxBytes: number): string {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString("utf8");
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(maxBytes, MAX_SITEMAP_BYTES) }).toString("utf8");
  } catch {
    return "";
  }
}

export async function gatherSite(
  source: Extract<CollectionSource, { kind: "site" }>,
  context: GatherContext,
  now: () => number,
): Promise<Gathered> {
  const crawl = new Crawl(source, context, now);
  return crawl.run();
}

class Crawl {
  readonly #source: Extract<CollectionSource, { kind: "site" }>;
  readonly #context: GatherContext;
  readonly #now: () => number;
  readonly #leavesOut: (path: string) => boolean;
  readonly #queue: string[] = [];
  readonly #seen = new Set<string>();
  #robots: Robots = ALLOWS_ALL;
  #prefix: URL;
  #follows = false;
  #done = 0;
  #partial = false;
  #nextStart = 0;
  /** Pages of the last sync, by address. */
  readonly #known = new Map<string, KnownFile & { path: string }>();

  constructor(source: Extract<CollectionSource, { kind: "site" }>, context: GatherContext, now: () => number) {
    this.#source = source;
    this.#context = context;
    this.#now = now;
    this.#leavesOut = selector({ include: [], exclude: source.exclude }).leavesOut;
    this.#prefix = prefixOf(new URL(source.url));
    for (const path of context.sink.knownPaths()) {
      const known = context.sink.known(path);
      if (known) this.#known.set(known.location, { ...known, path });
    }
  }

  async run(): Promise<Gathered> {
    this.#robots = await this.#readRobots(this.#prefix);
    const from = await this.#discover();
    const { sink, limits } = this.#context;
    await this.#work();
    if (this.#done === 0 && this.#queue.length === 0) {
      throw new DexError("no_source", `dex found no page it may read at ${this.#source.url}.`, {
        hint: "Its robots.txt may forbid it, or its pages may be at another address.",
      });
    }
    if (this.#queue.length > 0) {
      this.#partial = true;
      sink.failed(
        this.#source.url,
        `It has more than ${formatCount(limits.maxPages)} pages; dex did not fetch the rest. Raise docs.maxPages.`,
      );
    }
    return { state: { from }, ...(this.#partial ? { partial: true } : {}) };
  }

  /** Without a robots.txt everything is allowed; when the server fails nothing is, as RFC 9309 says. */
  async #readRobots(site: URL): Promise<Robots> {
    const url = new URL("/robots.txt", site).href;
    const answer = await getWeb(url, { ...this.#context.limits, maxBytes: 1 << 20 });
    if (answer.status === 200) return parseRobots(answer.bytes.toString("utf8"));
    return answer.status >= 500 ? FORBIDS_ALL : ALLOWS_ALL;
  }

  /** Returns how the pages were found. */
  async #discover(): Promise<string> {
    const { url } = this.#source;
    const { pathname } = new URL(url);
    if (/llms(?:-full)?\.txt$/.test(pathname)) {
      const answer = await this.#get(url);
      requireOk(answer, url);
      this.#addAll(listedLinks(answer.bytes.toString("utf8"), answer.url));
      // An llms.txt that is itself the documentation has no links.
      if (this.#queue.length === 0) this.#add(url);
      return "llms.txt";
    }
    if (/sitemap[^/]*\.xml(?:\.gz)?$/.test(pathname)) {
      await this.#readSitemaps([url]);
      return "sitemap";
    }
    for (const place of new Set([new URL("llms.txt", this.#prefix).href, new URL("/llms.txt", url).href])) {
      const answer = await this.#try(place);
      if (answer && !isHtml(answer)) this.#addAll(listedLinks(answer.bytes.toString("utf8"), answer.url));
      if (this.#queue.length > 0) return "llms.txt";
    }
    const listed = this.#robots.sitemaps.filter(
      (each) => URL.canParse(each) && new URL(each).host === this.#prefix.host,
    );
    await this.#readSitemaps([
      ...new Set([...listed, new URL("sitemap.xml", this.#prefix).href, new URL("/sitemap.xml", url).href]),
    ]);
    if (this.#queue.length > 0) return "sitemap";
    this.#follows = true;
    this.#add(url);
    return "links";
  }

  async #readSitemaps(places: string[]): Promise<void> {
    const waiting = [...places];
    const read = new Set<string>();
    while (waiting.length > 0 && read.size < MAX_SITEMAPS) {
      const place = waiting.shift() ?? "";
      if (read.has(place)) continue;
      read.add(place);
      const answer = await this.#try(place);
      if (!answer) continue;
      const { pages, sitemaps } = sitemapLinks(sitemapText(answer.bytes, this.#context.limits.maxBytes), answer.url);
      this.#addAll(pages);
      waiting.push(...sitemaps.filter((each) => new URL(each).host === this.#prefix.host));
    }
  }

  #addAll(links: readonly string[]): void {
    for (const link of links) this.#add(link);
  }

  #add(link: string): void {
    const url = new URL(link);
    url.hash = "";
    // For links found by crawling, a query mostly gives the same page again.
    if (this.#follows) url.search = "";
    if (!isInside(this.#prefix, url) || NO_PAGE.test(url.pathname) || this.#seen.has(url.href)) return;
    this.#seen.add(url.href);
    if (!this.#robots.allows(url.pathname + url.search)) return;
    if (this.#leavesOut(pathOf(this.#prefix, url))) return;
    this.#queue.push(url.href);
  }

  async #work(): Promise<void> {
    const { limits, sink } = this.#context;
    let asked = 0;
    let waiting = 0;
    let failure: unknown;
    await new Promise<void>((resolve) => {
      const next = (): void => {
        if (failure !== undefined || (waiting === 0 && (this.#queue.length === 0 || asked >= limits.maxPages))) {
          if (waiting === 0) resolve();
          return;
        }
        while (waiting < AT_ONCE && this.#queue.length > 0 && asked < limits.maxPages) {
          const url = this.#queue.shift() ?? "";
          asked += 1;
          waiting += 1;
          this.#page(url)
            .catch((error: unknown) => {
              failure ??= error;
            })
            .finally(() => {
              waiting -= 1;
              sink.progress(asked, asked + this.#queue.length);
              next();
            });
        }
      };
      next();
    });
    if (failure !== undefined) throw failure;
  }

  /** Fetches one page. A failed page keeps its earlier version; a deleted one is removed. */
  async #page(address: string): Promise<void> {
    const { sink } = this.#context;
    const known = this.#known.get(address);
    let answer: WebAnswer;
    try {
      answer = await this.#get(address, known ? validators(known) : {});
    } catch (error) {
      if (!(error instanceof DexError) || address === this.#source.url) throw error;
      this.#fail(address, error.message);
      return;
    }
    if (answer.status === 304 && known) {
      this.#done += 1;
      sink.unchanged(known.path);
      if (this.#follows) this.#addAll(pageLinks(sink.content(known.path)?.toString("utf8") ?? "", address));
      return;
    }
    if (answer.status === 404 || answer.status === 410) {
      if (address === this.#source.url) requireOk(answer, address);
      return;
    }
    if (answer.status !== 200) this.#fail(address, `${address} answered with status ${answer.status}.`);
    else if (await this.#isWanted(address, answer)) await this.#take(answer);
  }

  /** A redirected page is stored once, under its new address, if that is still inside the collection. */
  async #isWanted(address: string, answer: WebAnswer): Promise<boolean> {
    const url = new URL(answer.url);
    if (url.href === address) return true;
    if (!isInside(this.#prefix, url)) {
      if (address !== this.#source.url) return false;
      this.#prefix = prefixOf(url);
      if (new URL(address).host !== url.host) this.#robots = await this.#readRobots(url);
    } else if (this.#seen.has(url.href) && address !== this.#source.url) return false;
    this.#seen.add(url.href);
    return this.#robots.allows(url.pathname + url.search);
  }

  async #take(answer: WebAnswer): Promise<void> {
    const { sink } = this.#context;
    const path = pathOf(this.#prefix, new URL(answer.url), answer);
    const html = isHtml(answer);
    this.#done += 1;
    if (html && this.#follows) this.#addAll(pageLinks(answer.bytes.toString("utf8"), answer.url));
    const type = typeOf(answer);
    if (!/^(?:text\/.*|.*(?:xml|markdown|pdf)|)$/.test(type) && formatOfName(path) === undefined) {
      sink.skipped(path, `It is ${type.slice(0, 80)}, not a document.`);
      return;
    }
    const { etag, "last-modified": modified } = answer.headers;
    await sink.file({
      path,
      location: answer.url,
      bytes: answer.bytes,
      updated: Date.parse(modified ?? "") || this.#now(),
      ...(etag === undefined ? {} : { etag }),
      ...(modified === undefined ? {} : { modified }),
    });
  }

  #fail(address: string, error: string): void {
    this.#done += 1;
    this.#context.sink.failed(this.#known.get(address)?.path ?? pathOf(this.#prefix, new URL(address)), error);
  }

  /** Fetches an address that may not exist. */
  async #try(address: string): Promise<WebAnswer | undefined> {
    try {
      const answer = await this.#get(address);
      return answer.status === 200 ? answer : undefined;
    } catch (error) {
      if (error instanceof DexError && error.code === "too_large") return undefined;
      throw error;
    }
  }

  /** Waits its turn: robots.txt or the user's settings give the pause between two requests. */
  async #get(address: string, headers: Record<string, string> = {}): Promise<WebAnswer> {
    const pause = Math.max(this.#context.limits.delayMs, this.#robots.delay * 1000);
    const begin = Math.max(performance.now(), this.#nextStart);
    this.#nextStart = begin + pause;
    const wait = begin - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    return getWeb(address, this.#context.limits, headers);
  }
}
