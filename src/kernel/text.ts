/** Helpers for short texts: nearest names, order, shared beginnings, one line, shell words, plurals, formatted numbers. */

/** The closest of the names, if it is close enough to be a misspelling. */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.ceil(typed.length / 3)) + 1;
  for (const name of names) {
    const distance = name.startsWith(typed) && typed.length >= 2 ? 1 : editDistance(typed, name, bestDistance);
    // A name of which nothing was typed is not near, however short it is.
    if (distance < bestDistance && distance < Math.max(typed.length, name.length)) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap neighbours) between two short texts; `limit` when it is at least that. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j - 1] ?? 0) + (same ? 0 : 1), (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? limit, limit);
}

/** Orders by code units, which is the same on every machine, unlike a locale's order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How many characters two texts have in common at their start. */
export function sharedPrefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** The text on one line: every run of white space as one space, and none at the ends. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Whether every shell takes the text for one word without quotes. */
export function isPlainWord(text: string): boolean {
  return /^[\w@%+=:,./-]+$/.test(text);
}

/** The text as one word of a POSIX shell: in single quotes, unless it needs none. */
export function shellWord(text: string): string {
  return isPlainWord(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** With commas between thousands. Does not use Intl, which takes longer to load than most commands run. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 10_000) return `${(tokens / 1000).toFixed(1)}k`;
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/**
 * A text as given, with composed and with decomposed letters: the same name may be stored as `ü` or as `u` and a mark,
 * depending on the system that wrote it.
 */
export function spellings(text: string): string[] {
  return [...new Set([text, text.normalize("NFC"), text.normalize("NFD")])];
}
