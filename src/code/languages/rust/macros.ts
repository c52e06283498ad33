/**
 * Items that a macro encloses: `cfg_rt! { pub fn f() {} }`, `pin_project! { struct S { … } }`. The grammar has the
 * arguments of a macro as tokens, so the name of such a macro and its outer braces become spaces: the items are then read
 * as if they stood alone, at the same places in the text.
 */

/** A macro at the beginning of a line whose content begins like an item. */
const OPENING =
  /^[ \t]*[a-z_]\w*(?:::\w+)*!\s*\{(?=(?:\s|\/\/[^\n]*\n|#!?\[[^\]\n]*\])*(?:pub\b|fn\s|async\s+fn\s|unsafe\s+(?:fn|impl|trait)\s|struct\s|enum\s|union\s|trait\s|impl[\s<]|mod\s|use\s|type\s|const\s+\w+\s*:|static\s+(?!ref\b)\w+\s*:))/gm;
/** Begins an item that only its macro can read: the pattern of a rule, or another form of an item. */
const NOT_ITEMS = /\$\w|=>/;
const MAX_HEAD_CHARS = 200;
/** Text that may contain braces which do not count. */
const SKIPPED =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|b?"(?:[^"\\]|\\[\s\S])*"|r(#*)"[\s\S]*?"\1|'(?:[^'\\\n]|\\[^\n]{1,8})'|[{}]/g;

export function exposeItems(text: string): string {
  let shown = text;
  for (const { 0: opening, index } of text.matchAll(OPENING)) {
    const begin = index + opening.length;
    const end = closingBrace(text, begin);
    if (end < 0 || NOT_ITEMS.test(text.slice(begin, Math.min(end, begin + MAX_HEAD_CHARS)))) continue;
    shown = blank(blank(shown, index, begin), end, end + 1);
  }
  return shown;
}

/** A list is read like an array: the name of its macro becomes spaces. Comments keep it. */
export function exposeLists(text: string): string {
  return text.replaceAll(/^[ \t]*\/\/[^\n]*|\bvec!(?=\s?\[)/gm, (found) => (found === "vec!" ? "    " : found));
}

/** Offset of the brace that closes the one before `begin`; -1 if there is none. */
function closingBrace(text: string, begin: number): number {
  SKIPPED.lastIndex = begin;
  for (let depth = 1, found = SKIPPED.exec(text); found; found = SKIPPED.exec(text)) {
    if (found[0] === "{") depth += 1;
    else if (found[0] === "}") depth -= 1;
    if (depth === 0) return found.index;
  }
  return -1;
}

/** Line breaks stay. */
function blank(text: string, begin: number, end: number): string {
  return text.slice(0, begin) + text.slice(begin, end).replaceAll(/[^\n]/g, " ") + text.slice(end);
}
