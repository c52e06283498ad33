/** Text of others, made safe to look at: control characters that reorder or hide text are shown by their number. */
const HIDDEN =
  /[[\p{Cc}--[\t\n\r]]\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/gv;

/** `U+202E` in angle brackets instead of the character itself. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => `⟨U+${code(char)}⟩`);
}

function code(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** The address of a link in text of others, if it may be followed. */
export function safeHref(href: string): string | undefined {
  try {
    const { protocol } = new URL(href);
    return protocol === "https:" || protocol === "http:" || protocol === "mailto:" ? href : undefined;
  } catch {
    return undefined;
  }
}

/** `…/project/src/file.ts`: the end of a long path, which tells most. */
export function shortPath(path: string, parts = 3): string {
  const all = path.split(/[\\/]/).filter((part) => part !== "");
  return all.length <= parts ? path : `…/${all.slice(-parts).join("/")}`;
}

/** The last folder of a project's path. */
export function projectName(path: string): string {
  return foldersOf(path).at(-1) ?? "";
}

/** Names for paths of one list: as many of their last parts as tell each from the others. */
export function distinctNames(paths: readonly string[]): (path: string) => string {
  const counts = new Map<string, number>();
  for (const path of new Set(paths)) {
    const folders = foldersOf(path);
    for (const at of folders.keys()) count(counts, folders.slice(at).join("/"));
  }
  return (path) => {
    const folders = foldersOf(path);
    const from = folders.findLastIndex((_, at) => counts.get(folders.slice(at).join("/")) === 1);
    return from < 0 ? projectName(path) : folders.slice(from).join("/");
  };
}

function foldersOf(path: string): string[] {
  return path.split(/[\\/]/).filter((part) => part !== "");
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
