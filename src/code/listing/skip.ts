/** Files that are not worth reading: what other programs made, what others wrote, what is too large. */

export const MAX_BYTES = 1_000_000;
const LONGEST_LINE = 20_000;
const LONGEST_USUAL_LINE = 400;
/** How far the note of a generator is looked for. */
const HEAD = 2000;

const VENDORED =
  /(^|\/)(node_modules|vendor|vendored|third[-_]party|bower_components|site-packages|\.venv|venv|Pods|\.yarn|jspm_packages)\//;
const MINIFIED = /[.-](min|bundle|chunk)\.(js|mjs|cjs|css)$/;
const GENERATED =
  /(\.pb\.(go|cc|h)|_pb2(_grpc)?\.py|\.generated\.\w+|\.g\.(cs|dart)|\.designer\.cs|_generated\.\w+|\.gen\.\w+)$/i;
const GENERATED_NOTE =
  /@generated\b|code generated .{0,80}do not edit|(auto-?generated|automatically generated) (by|from|file)|this file (is|was) (auto-?|automatically )?generated/i;

/** By its path and size alone. */
export function skipByName(path: string, size: number): string | undefined {
  if (VENDORED.test(path)) return "vendored";
  if (MINIFIED.test(path)) return "minified";
  if (GENERATED.test(path)) return "generated";
  return size > MAX_BYTES ? "too large" : undefined;
}

/** By a look into it. */
export function skipByText(text: string): string | undefined {
  const head = text.slice(0, HEAD);
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
  return longest > LONGEST_LINE && text.length / lines > LONGEST_USUAL_LINE ? "minified" : undefined;
}

/** A program that writes such notes has them in its strings; a file that was written so has it in a comment. */
function commentsOf(head: string): string {
  return head
    .split("\n")
    .filter((line) => /^\s*(\/\/|\/\*|\*|#|--|<!--|;|""")/.test(line))
    .join("\n");
}
