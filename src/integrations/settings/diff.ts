/** The lines that a change removes and adds, with two lines of context, in the format of `diff -u`. */
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";

const CONTEXT_LINES = 2;

/** `undefined` represents a file that does not exist: before it is created, or after it is deleted. */
export function unifiedDiff(name: string, before: string | undefined, after: string | undefined): string {
  const patch = structuredPatch(
    before === undefined ? "/dev/null" : name,
    after === undefined ? "/dev/null" : name,
    withLineBreak(before ?? ""),
    withLineBreak(after ?? ""),
    undefined,
    undefined,
    { context: CONTEXT_LINES },
  );
  const text = formatPatch(patch, FILE_HEADERS_ONLY);
  return text.replace(/\r$/gm, "").replace(/\n$/, "");
}

/** A missing line break at the end of the file is not a change worth showing. */
function withLineBreak(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
