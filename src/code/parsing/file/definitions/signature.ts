/** The signature of a definition on one line: as much as a reader needs to use it. */
import type { EntityKind } from "../../../../store/code.ts";

const MAX_SIGNATURE_CHARS = 240;
/** Long values and types need not be read to their end. */
const MAX_READ_CHARS = 2000;
/** Start of the callback in `test("title", () => …)`. */
const TEST_BODY = /, (async )?(\(|function\b|[\w$]+ =>)/;

/** No white space but single spaces: most signatures, and quicker to see than to make. */
const IS_FLAT = /^[!-~]*(?: [!-~]+)* ?$/;

export function signatureOf(head: string, kind: EntityKind): string {
  const start = head.slice(0, MAX_READ_CHARS);
  const flat = (IS_FLAT.test(start) ? start : start.replaceAll(/\s+/g, " ")).trim();
  const line = /[>{:=]$/.test(flat) ? flat.replace(/\s*(=>|[{:=])$/, "").trim() : flat;
  const shown =
    (kind === "constant" ? line.split(/ = [[{(]/)[0] : kind === "test" ? line.split(TEST_BODY)[0] : line) ?? line;
  return shown.length > MAX_SIGNATURE_CHARS ? `${shown.slice(0, MAX_SIGNATURE_CHARS - 1)}…` : shown;
}
