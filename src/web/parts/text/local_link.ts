/** Links of a text to files near it, as agents and documents write them: `[rates.ts](src/rates.ts#L12)`. */
export interface LocalLink {
  /** As written, without the line or the anchor; empty for a place in the same text. */
  path: string;
  line?: number;
  anchor?: string;
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const DRIVE = /^[a-z]:[\\/]/i;
const FILE_LINE = /^([^:]*\.[^:/\\]*|[^:]*[\\/][^:]*|[a-z]:[\\/][^:]*):(\d+)(?:[:-]\d+)*$/i;
const LINE_ANCHOR = /^L(\d+)/;

/** Undefined for an address of the web or of anything else. */
export function localLink(href: string): LocalLink | undefined {
  const text = decoded(href).trim();
  if (text === "" || /^(?:\/\/|\\\\)/.test(text)) return undefined;
  const [before = "", anchor = ""] = text.split("#", 2);
  const bare = before.split("?", 1)[0] ?? "";
  const [, path, line] = FILE_LINE.exec(bare) ?? [];
  if (path !== undefined) return { path, line: Number(line) };
  if (SCHEME.test(bare) && !DRIVE.test(bare)) return undefined;
  const marked = LINE_ANCHOR.exec(anchor)?.[1];
  if (marked !== undefined && bare !== "") return { path: bare, line: Number(marked) };
  return { path: bare, ...(anchor === "" ? {} : { anchor }) };
}

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

/** A path as seen from a folder, both relative to the same root: undefined if it leads out of the root. */
export function resolvePath(folder: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of [...folder.split("/"), ...path.split("/")]) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
