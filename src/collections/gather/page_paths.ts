/** The part of a web site that belongs to a collection, and the paths of its pages in the collection. */
import { formatOfName } from "../../documents/parse.ts";
import type { WebAnswer } from "../net/fetch.ts";

/** The address below which the pages are. */
export function prefixOf(url: URL): URL {
  const prefix = new URL(url);
  prefix.search = "";
  prefix.hash = "";
  // A last segment that looks like a file, or like a page, is not a folder.
  const isFile = /\.[a-z0-9]{1,5}$/i.test(prefix.pathname);
  prefix.pathname = isFile ? prefix.pathname.replace(/[^/]*$/, "") : `${prefix.pathname.replace(/\/$/, "")}/`;
  return prefix;
}

export function isInside(prefix: URL, url: URL): boolean {
  return url.host === prefix.host && `${url.pathname}/`.startsWith(prefix.pathname);
}

/** The path below the prefix, with an extension for its type. */
export function pathOf(prefix: URL, url: URL, answer?: WebAnswer): string {
  const below = url.pathname.startsWith(prefix.pathname)
    ? url.pathname.slice(prefix.pathname.length)
    : url.pathname.slice(1);
  let path = below === "" || below.endsWith("/") ? `${below}index` : below;
  try {
    path = decodeURI(path);
  } catch {
    // Not a valid escape: the path is used as it is.
  }
  const type = answer === undefined ? "" : typeOf(answer);
  const ending = /html/.test(type)
    ? ".html"
    : /markdown/.test(type)
      ? ".md"
      : /pdf/.test(type)
        ? ".pdf"
        : type === "text/plain"
          ? ".txt"
          : "";
  const named = formatOfName(path) === undefined ? `${path}${ending}` : path;
  return url.search === "" ? named : `${named}${url.search}`;
}

export function isHtml(answer: WebAnswer): boolean {
  return /html/.test(typeOf(answer));
}

export function typeOf(answer: WebAnswer): string {
  return (answer.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}
