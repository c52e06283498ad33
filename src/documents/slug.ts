/** Names of sections in addresses: made from the headings as GitHub makes them, so that links in documents lead here. */

/** Letters, marks, numbers, connectors, dashes and spaces stay; the rest is dropped. */
const DROPPED = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;
const PLAIN = /^[a-z0-9_-]+$/;

/** A heading of nothing but punctuation has no slug of its own. */
const NAMELESS = "section";

export function slugOf(heading: string): string {
  const lower = heading.trim().toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower.replace(/\s/g, " ").replace(DROPPED, "").replaceAll(" ", "-") || NAMELESS;
}

/** Gives each name once: a repeated one gets `-2`, `-3` and on. In linear time, however often one name comes. */
export function uniqueNames(): (name: string) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    let unique = name;
    let count = counts.get(name) ?? 1;
    while (used.has(unique)) {
      count += 1;
      unique = `${name}-${count}`;
    }
    counts.set(name, count);
    used.add(unique);
    return unique;
  };
}
