/**
 * Splits a passage into the parts that can be quoted alone: sentences, items of lists, rows of tables, listings. It reads
 * Markdown, reStructuredText, AsciiDoc and plain text, because a passage does not tell its format.
 */
import { laidOut } from "../layout/layout.ts";
import { kindAt } from "./kinds.ts";
import { withLeads } from "./leads.ts";
import { isEmptyListing } from "./listings.ts";
import { endsSummary, isSummary } from "./summaries.ts";
import type { Unit } from "./unit.ts";

const MAX_PASSAGE_CHARS = 200_000;
/** Markdown: the mark of a quotation, and of a callout in one. */
const QUOTED = /^ {0,3}> ?/;
const CALLOUT = /^\[!\w+\]\s*$/;

export function unitsOf(text: string): Unit[] {
  return withLeads(splitUnits(text).filter((unit) => !isEmptyListing(unit)));
}

function splitUnits(text: string): Unit[] {
  const lines = laidOut(unquoted(text.slice(0, MAX_PASSAGE_CHARS).split(/\r?\n/)));
  const units: Unit[] = [];
  let block = 0;
  let at = 0;
  /** The block of the summary line under which the next units are folded. */
  let summary: number | undefined;
  while (at < lines.length) {
    const kind = kindAt(lines, at, units.at(-1)?.kind === "item");
    const end = kind.end(lines, at);
    const made = kind.units(lines.slice(at, end), block, splitUnits);
    const first = lines[at] ?? "";
    if (isSummary(first) || endsSummary(first)) summary = undefined;
    units.push(...(summary === undefined ? made : made.map((unit) => ({ ...unit, summary }))));
    if (isSummary(first) && made.length > 0) summary = block;
    if (made.length > 0) block = (made.at(-1)?.block ?? block) + 1;
    at = end;
  }
  return units;
}

/** Removes quotation marks (`>`) from lines. A quotation stays separate from the text around it. */
function unquoted(lines: readonly string[]): string[] {
  let wasQuoted = false;
  let fence = "";
  return lines.flatMap((line) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (mark !== "" && (fence === "" || mark.startsWith(fence))) fence = fence === "" ? mark : "";
    const isQuoted = fence === "" && mark === "" && QUOTED.test(line);
    const plain = isQuoted ? line.replace(QUOTED, "") : line;
    const boundary = isQuoted === wasQuoted ? [] : [""];
    wasQuoted = isQuoted;
    return CALLOUT.test(plain) ? boundary : [...boundary, plain];
  });
}
