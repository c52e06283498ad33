/** Parses the output of `git grep -n -z`. */

/** One `file NUL line NUL content` per line; file names may contain anything but NUL. */
export function* grepLines(output: string): Generator<{ file: string; line: number; content: string }> {
  for (let at = 0; at < output.length; ) {
    const first = output.indexOf("\0", at);
    const second = output.indexOf("\0", first + 1);
    if (first < 0 || second < 0) return;
    const end = output.indexOf("\n", second);
    const stop = end < 0 ? output.length : end;
    const content = output.slice(second + 1, stop);
    yield { file: output.slice(at, first), line: Number(output.slice(first + 1, second)), content };
    at = stop + 1;
  }
}
