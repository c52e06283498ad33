/** The head of a definition on one line: what a reader needs to use it. */
import type { EntityKind } from "../../store/code.ts";

const LONGEST = 240;
/** Where the function of a test that is a call begins. */
const TEST_BODY = /, (async )?(\(|function\b|[\w$]+ =>)/;

export function signatureOf(head: string, kind: EntityKind): string {
  // Long values and whole types need not be read to their end.
  const start = head.length > 2000 ? head.slice(0, 2000) : head;
  const line = start
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/\s*(=>|[{:=])$/, "")
    .trim();
  const shown =
    (kind === "constant" ? line.split(/ = [[{(]/)[0] : kind === "test" ? line.split(TEST_BODY)[0] : line) ?? line;
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST - 1)}…` : shown;
}
