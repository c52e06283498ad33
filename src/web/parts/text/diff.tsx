/** A change of text, line by line. Removed and added lines carry a sign, not only a colour. */
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { visible } from "./visible.ts";

/** Longer texts are compared only as "all of this became all of that". */
const MAX_CHARS = 100_000;
const MAX_LINES = 400;
const KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

const hunks = signal<((before: string, after: string) => string[]) | undefined>(undefined);
import("./diff_hunks.ts").then(
  ({ hunkLines }) => {
    hunks.value = hunkLines;
  },
  // Then all of the one text became all of the other.
  () => undefined,
);

export function Diff({ before, after }: { before: string; after: string }) {
  const compare = hunks.value;
  const lines = useMemo(() => {
    const isLong = before.length + after.length > MAX_CHARS;
    return isLong || !compare ? [...signed("-", before), ...signed("+", after)] : compare(before, after);
  }, [before, after, compare]);
  return <DiffLines lines={lines} />;
}

/** A patch in unified format, as agents and git write it. */
export function Patch({ text }: { text: string }) {
  return <DiffLines lines={text.replace(/\n$/, "").split("\n")} />;
}

function DiffLines({ lines }: { lines: readonly string[] }) {
  const shown = lines.slice(0, MAX_LINES);
  return (
    <div class="code diff">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        {shown.map((line, at) => (
          <span key={at} class={`diff-line ${KINDS[line[0] ?? ""] ?? ""}`}>
            {visible(line)}
            {"\n"}
          </span>
        ))}
        {lines.length > shown.length && <span class="diff-line place">{lines.length - shown.length} more lines</span>}
      </pre>
    </div>
  );
}

function signed(sign: string, text: string): string[] {
  return text === "" ? [] : text.split("\n").map((line) => sign + line);
}

/** True for text that is a patch in unified format. */
export function isPatch(text: string): boolean {
  return /^(?:diff --git |--- \S|@@ -\d+(?:,\d+)? \+\d+)/m.test(text.slice(0, 2000));
}
