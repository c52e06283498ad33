/** The lines that a change takes away and adds, with a few around them, as people know it from `diff -u`. */

const AROUND = 2;
/** Beyond this many pairs of lines to compare, everything between the first and the last difference is shown. */
const MOST_PAIRS = 4_000_000;

export function unifiedDiff(name: string, before: string | undefined, after: string | undefined): string {
  const old = before === undefined ? [] : before.split("\n");
  const now = after === undefined ? [] : after.split("\n");
  // A text that ends in a line break has no line behind it.
  if (old.at(-1) === "") old.pop();
  if (now.at(-1) === "") now.pop();
  const marked = compare(old, now);
  const lines = [`--- ${before === undefined ? "/dev/null" : name}`, `+++ ${after === undefined ? "/dev/null" : name}`];
  for (const { from, to } of hunks(marked)) {
    const shown = marked.slice(from, to);
    const [oldAt, newAt] = [count(marked, from, "+"), count(marked, from, "-")];
    const [oldCount, newCount] = [count(shown, shown.length, "+"), count(shown, shown.length, "-")];
    lines.push(
      `@@ -${oldCount === 0 ? oldAt : oldAt + 1},${oldCount} +${newCount === 0 ? newAt : newAt + 1},${newCount} @@`,
    );
    lines.push(...shown.map(({ mark, line }) => mark + line.replace(/\r$/, "")));
  }
  return lines.join("\n");
}

interface Marked {
  mark: " " | "-" | "+";
  line: string;
}

/** Lines among the first `end` that do not bear the mark: those of the old text for `+`, of the new one for `-`. */
function count(marked: readonly Marked[], end: number, mark: "-" | "+"): number {
  return marked.slice(0, end).filter((each) => each.mark !== mark).length;
}

function hunks(marked: readonly Marked[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const [i, { mark }] of marked.entries()) {
    if (mark === " ") continue;
    const from = Math.max(0, i - AROUND);
    const to = Math.min(marked.length, i + AROUND + 1);
    const last = found.at(-1);
    if (last && from <= last.to) last.to = to;
    else found.push({ from, to });
  }
  return found;
}

function compare(old: readonly string[], now: readonly string[]): Marked[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const same = (line: string): Marked => ({ mark: " ", line });
  return [
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
}

/** The longest common subsequence keeps its lines. */
function middle(old: readonly string[], now: readonly string[]): Marked[] {
  const gone = (line: string): Marked => ({ mark: "-", line });
  const come = (line: string): Marked => ({ mark: "+", line });
  if (old.length * now.length > MOST_PAIRS) return [...old.map(gone), ...now.map(come)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const skip = Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
      common[i * width + j] = old[i] === now[j] ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : skip;
    }
  }
  const marked: Marked[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]];
    if (left !== undefined && left === right) {
      marked.push({ mark: " ", line: left });
      i += 1;
      j += 1;
    } else if (
      left !== undefined &&
      (right === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      marked.push(gone(left));
      i += 1;
    } else {
      marked.push(come(right ?? ""));
      j += 1;
    }
  }
  return marked;
}
