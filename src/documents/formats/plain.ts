/**
 * Plain text has no headings, with two reliable exceptions: the NAME, SYNOPSIS … of a manual page, and numbered chapters
 * on lines of their own (`3.1  Retries`), as in specifications. Everything else is paragraphs.
 */
import { countLines, isBlank, lineAt, linesOf } from "../lines.ts";
import type { ParsedDocument } from "../model.ts";
import { buildSections, type FoundHeading } from "../sections.ts";

const MAX_LINE_CHARS = 100;
const MAX_TITLE_CHARS = 120;
const MANUAL = /^[A-Z][A-Z0-9 /&,'-]{2,60}$/;
/** Lines in capitals count as headings only in a text that has one of these. */
const MANUAL_SIGN = /^(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS)$/;
const NUMBERED = /^(\d{1,2}(?:\.\d{1,3}){0,4})\.?[ \t]{1,4}([A-Z][^\n]{1,80})$/;
/** Fewer numbered lines are probably a list. */
const MIN_NUMBERED = 3;

export function parsePlain(text: string): ParsedDocument {
  const lines = linesOf(text);
  const capitals: FoundHeading[] = [];
  const numbered: FoundHeading[] = [];
  let manual = false;
  const last = countLines(lines);
  for (let line = 1; line <= last; line += 1) {
    const start = lines.starts[line - 1] ?? 0;
    const unit = text.charCodeAt(start);
    // A heading of either kind starts with a capital or a digit; checking that first avoids creating a string.
    if (!(unit >= 0x41 && unit <= 0x5a) && !(unit >= 0x30 && unit <= 0x39)) continue;
    if ((lines.starts[line] ?? text.length) - start > MAX_LINE_CHARS) continue;
    if (line > 1 && !isBlank(lines, line - 1)) continue;
    const own = lineAt(lines, line).trimEnd();
    if (MANUAL.test(own)) {
      manual ||= MANUAL_SIGN.test(own);
      capitals.push({ heading: own, level: 1, first_line: line, last_line: line });
    }
    const number = NUMBERED.exec(own);
    if (number?.[1] && !/[.,;:]$/.test(own) && (line === last || isBlank(lines, line + 1))) {
      const level = Math.min(6, number[1].split(".").length);
      numbered.push({ heading: own.replace(/\s+/g, " "), level, first_line: line, last_line: line });
    }
  }
  const headings = manual ? capitals : numbered.length >= MIN_NUMBERED ? numbered : [];
  return { format: "text", title: titleOf(text), text, sections: buildSections(lines, { headings }) };
}

/** The first line, if it is short and followed by a blank line or underline. */
function titleOf(text: string): string {
  const match = /^\s*(\S[^\n]*)(?:\n[ \t]*\n|\n[=*~-]{3,}[ \t]*\n|\s*$)/.exec(text.slice(0, 1000));
  const title = match?.[1]?.trim().replace(/\s+/g, " ") ?? "";
  return title.length <= MAX_TITLE_CHARS ? title : "";
}
