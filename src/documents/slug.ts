/** Slugs of headings, made like GitHub's, so links inside documents resolve. */

/** Everything except letters, marks, numbers, connectors, dashes and spaces. */
const DROPPED = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;
const PLAIN = /^[a-z0-9_-]+$/;

/** For a heading of punctuation only. */
const NAMELESS = "section";

export function slugOf(heading: string): string {
  const lower = heading.trim().toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower.replace(/\s/g, " ").replace(DROPPED, "").replaceAll(" ", "-") || NAMELESS;
}

/** Makes names unique: repeated ones get `-2`, `-3` and so on. Linear in the number of names. */
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
