/** Reports an error of the server on stderr, as one line of limited length. */
import { errorMessage } from "../kernel/errors.ts";
import { cleanLine } from "../text/clean.ts";

const MAX_LINE_CHARS = 300;

export function reportError(error: unknown): void {
  process.stderr.write(`dex: ${cleanLine(errorMessage(error), MAX_LINE_CHARS)}\n`);
}
