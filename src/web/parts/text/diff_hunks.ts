/** Compares two texts line by line. Loaded after the first paint. */
import { structuredPatch } from "diff";

const CONTEXT_LINES = 3;

/** The changed lines with those around them, each with its sign. */
export function hunkLines(before: string, after: string): string[] {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: CONTEXT_LINES });
  return hunks.flatMap(({ lines }, at) => [
    ...(at === 0 ? [] : ["@ …"]),
    ...lines.filter((line) => !line.startsWith("\\")),
  ]);
}
