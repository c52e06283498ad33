/** Files that are not worth indexing: generated, vendored or too large. */

export const MAX_BYTES = 1_000_000;
const MAX_LINE_CHARS = 20_000;
const MAX_AVERAGE_LINE_CHARS = 400;
/** A generator's note is looked for in this much of the text. */
const HEAD_CHARS = 2000;

const VENDORED =
  /(^|\/)(node_modules|vendor|vendored|third[-_]party|bower_components|site-packages|\.venv|venv|Pods|\.yarn|jspm_packages)\//;
const MINIFIED = /[.-](min|bundle|chunk)\.(js|mjs|cjs|css)$/;
const GENERATED =
  /(\.pb\.(go|cc|h)|_pb2(_grpc)?\.py|\.generated\.\w+|\.g\.(cs|dart)|\.designer\.cs|_generated\.\w+|\.gen\.\w+)$/i;
const GENERATED_NOTE =
  /@generated\b|code generated .{0,80}do not edit|(auto-?generated|automatically generated) (by|from|file)|this file (is|was) (auto-?|automatically )?generated/i;

/** The reason to skip a file, from its path and size alone. */
export function skipByName(path: string, size: number): string | undefined {
  if (VENDORED.test(path)) return "vendored";
  if (MINIFIED.test(path)) return "minified";
  if (GENERATED.test(path)) return "generated";
  return size > MAX_BYTES ? "too large" : undefined;
}

/** The reason to skip a file, from its text. */
export function skipByText(text: string): string | undefined {
  const head = text.slice(0, HEAD_CHARS);
  if (head.includes("\0")) return "binary";
  if (GENERATED_NOTE.test(commentsOf(head))) return "generated";
  let longest = 0;
  let lines = 0;
  for (let start = 0; start <= text.length; lines += 1) {
    const end = text.indexOf("\n", start);
    const stop = end < 0 ? text.length : end;
    longest = Math.max(longest, stop - start);
    start = stop + 1;
  }
  return longest > MAX_LINE_CHARS && text.length / lines > MAX_AVERAGE_LINE_CHARS ? "minified" : undefined;
}

/** A generator has such notes in its strings; a generated file has one in a comment. */
function commentsOf(head: string): string {
  return head
    .split("\n")
    .filter((line) => /^\s*(\/\/|\/\*|\*|#|--|<!--|;|""")/.test(line))
    .join("\n");
}
