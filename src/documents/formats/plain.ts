/**
 * Plain text has no headings, with three reliable exceptions: the NAME, SYNOPSIS … of a manual page, lines below a rule
 * across the page, and numbered chapters on lines of their own (`3.1  Retries`), as in specifications. Everything else is
 * paragraphs.
 */
import { countLines, isBlank, type Lines, lineAt, linesOf } from "../lines.ts";
import type { ParsedDocument } from "../model.ts";
import { buildSections } from "../sections.ts";
import type { FoundHeading } from "../structure.ts";

const MAX_LINE_CHARS = 100;
const MAX_TITLE_CHARS = 120;
const MANUAL = /^[A-Z][A-Z0-9 /&,'-]{2,60}$/;
/** Lines in capitals count as headings only in a text that has one of these. */
const MANUAL_SIGN = /^(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS)$/;
const NUMBERED = /^(\d{1,2}(?:\.\d{1,3}){0,4})\.?[ \t]{1,4}([A-Z][^\n]{1,80})$/;
/** Fewer numbered lines are probably a list. */
const MIN_NUMBERED = 3;
/** A rule across the page: the line below it begins a part of the text. */
const RULE = /^([=#*])\1{29,}$/;
/** Fewer rules are decoration. */
const MIN_RULED = 2;
/** The names that help files of editors give to a place (`*diff-mode*`). */
const TAG = /(?<=^|\s)\*[^\s*]{1,80}\*(?=\s|$)/g;

export function parsePlain(text: string): ParsedDocument {
  const lines = linesOf(text);
  const capitals: FoundHeading[] = [];
  const numbered: FoundHeading[] = [];
  const ruled: FoundHeading[] = [];
  let manual = false;
  const last = countLines(lines);
  for (let line = 1; line <= last; line += 1) {
    const start = lines.starts[line - 1] ?? 0;
    const unit = text.charCodeAt(start);
    if (unit === 0x3d || unit === 0x23 || unit === 0x2a) {
      const heading = headingBelowRule(lines, line, last);
      if (heading !== "") ruled.push({ heading, level: 1, first_line: line, last_line: line + 1 });
      continue;
    }
    // A heading of the other kinds starts with a capital or a digit; checking that first avoids creating a string.
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
  const numberedOnly = numbered.length >= MIN_NUMBERED ? numbered : [];
  const headings = ruled.length >= MIN_RULED ? below(ruled, capitals) : manual ? capitals : numberedOnly;
  return { format: "text", title: titleOf(text), text, sections: buildSections(lines, { headings }) };
}

/** A text that is parted by rules may have lines in capitals below them. */
function below(ruled: readonly FoundHeading[], capitals: readonly FoundHeading[]): FoundHeading[] {
  const own = capitals
    .filter((each) => !ruled.some(({ last_line }) => last_line === each.first_line))
    .map((each) => ({ ...each, level: 2 }));
  return [...ruled, ...own].sort((a, b) => a.first_line - b.first_line);
}

/** Empty without one. */
function headingBelowRule(lines: Lines, rule: number, last: number): string {
  if (rule === last || !RULE.test(lineAt(lines, rule).trimEnd())) return "";
  const below = lineAt(lines, rule + 1);
  if (/^\s/.test(below) || below.length > MAX_LINE_CHARS || RULE.test(below.trimEnd())) return "";
  return below.replace(TAG, "").replace(/\s+/g, " ").trim();
}

/** The first line, if it is short and followed by a blank line or underline. */
function titleOf(text: string): string {
  const match = /^\s*(\S[^\n]*)(?:\n[ \t]*\n|\n[=*~-]{3,}[ \t]*\n|\s*$)/.exec(text.slice(0, 1000));
  const title = match?.[1]?.trim().replace(/\s+/g, " ") ?? "";
  return title.length <= MAX_TITLE_CHARS ? title : "";
}
