/** Extracts links from pages, llms.txt and sitemaps. */
import { Parser } from "htmlparser2";

const MAX_LINKS = 50_000;

/** Addresses of `<a href>`, resolved against the page and its base. */
export function pageLinks(html: string, page: string): string[] {
  const links: string[] = [];
  let base = page;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const { href } = attributes;
      if (href === undefined || links.length >= MAX_LINKS) return;
      if (name === "base" && URL.canParse(href, page)) base = new URL(href, page).href;
      if (name === "a" && !/\bnofollow\b/.test(attributes.rel ?? "")) push(links, href, base);
    },
  });
  parser.end(html);
  return links;
}

/** The links of an llms.txt, which is Markdown. */
export function listedLinks(text: string, page: string): string[] {
  const links: string[] = [];
  for (const [, target = ""] of text.matchAll(/\]\(\s*<?([^()\s<>]{1,2000})>?[^()\n]{0,300}\)/g)) {
    if (links.length >= MAX_LINKS) break;
    push(links, target, page);
  }
  return links;
}

export interface Sitemap {
  pages: string[];
  /** Other sitemaps, listed by a sitemap index. */
  sitemaps: string[];
}

export function sitemapLinks(xml: string, page: string): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [] };
  let list: string[] | undefined;
  let text: string | undefined;
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (name === "url") list = found.pages;
        else if (name === "sitemap") list = found.sitemaps;
        else if (name === "loc") text = "";
      },
      ontext: (piece) => {
        if (text !== undefined && text.length < 4000) text += piece;
      },
      onclosetag: (name) => {
        if (name !== "loc") return;
        if (list && text !== undefined && list.length < MAX_LINKS) push(list, text.trim(), page);
        text = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found;
}

function push(links: string[], target: string, base: string): void {
  if (!URL.canParse(target, base)) return;
  const url = new URL(target, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return;
  url.hash = "";
  links.push(url.href);
}
