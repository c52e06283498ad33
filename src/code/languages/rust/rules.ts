/**
 * Items in the rules of a macro: `macro_rules! make { ($t:ty) => { impl Show for $t { fn show(&self) {} } } }`. The grammar
 * has them as tokens, so everything around them becomes spaces: they are then read as if they stood alone, at the same
 * places in the text. The macro itself keeps its name and an empty list of rules.
 */

const MACRO = /\bmacro_rules!\s*\w+\s*([({])/g;
const MACRO_AT = new RegExp(MACRO, "g");
/** Begins an item, after comments, attributes and the begin of a repetition. */
const ITEM =
  /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|\$\((?=\s*(?:#|pub|fn|impl|unsafe|const|\/\/))|\)\s*[*+?]|#!?\[[^\]\n]*\])*(?:pub\b|(?:const\s+|async\s+|unsafe\s+|extern\s+"C"\s+)*fn\s|unsafe\s+(?:impl|trait)\s|struct\s|enum\s|union\s|trait\s|impl[\s<]|mod\s|use\s|type\s+\w+\s*=|const\s+\w+\s*:|static\s+\w+\s*:)/;
/** Items that the grammar cannot read without knowing a parameter, and functions that only a type around them can have. */
const UNREADABLE =
  /\b(?:struct|enum|union|trait|mod|type|const|static)\s+\$|^[^({]*\bfn\s+\$?\w+\s*(?:<[^(]*>)?\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b/;
/** A comment or string that nothing closes ends with the text, so that no part of it is read twice. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|b?"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|r(#*)"[\s\S]*?(?:"\1|$)|'(?:[^'\\\n]|\\[^\n]{1,8})'|[()[\]{}]/g;
/** Longer ones are left as they are. */
const MAX_BODY = 20_000;
/** `$(`, which ends in `),*`. */
const REPETITION = /\$\(/g;
const REPEATED = /^\s*(?:[,;|+]|=>)?\s*[*+?]/;

export function exposeRules(text: string): string {
  if (!text.includes("macro_rules!")) return text;
  const parts: string[] = [];
  let done = 0;
  let looked = 0;
  for (const found of text.matchAll(MACRO)) {
    const begin = found.index + found[0].length;
    if (found.index < looked) continue;
    const end = groupEnd(text, begin - 1);
    if (end < 0) break;
    looked = end + 1;
    const bodies = itemBodies(text, begin, end);
    if (bodies.length === 0) continue;
    parts.push(text.slice(done, begin));
    // The first rule begins with a bracket.
    const first = begin + (text.slice(begin, end).match(/\S/)?.index ?? 0);
    parts.push(spaces(text.slice(begin, first)), found[1] === "{" ? "}" : ")");
    done = first + 1;
    for (const body of bodies) {
      parts.push(spaces(text.slice(done, body.begin)), withoutRepetitions(text.slice(body.begin, body.end)));
      done = body.end;
    }
    parts.push(spaces(text.slice(done, end + 1)));
    done = end + 1;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** The end of a macro whose rules were taken out. */
export function endOfRules(text: string, start: number): number | undefined {
  // A pattern of its own: a search of all matches begins at the place where a pattern was used last.
  MACRO_AT.lastIndex = start;
  const found = MACRO_AT.exec(text);
  const end = found ? groupEnd(text, found.index + found[0].length - 1) : -1;
  return end < 0 ? undefined : end + 1;
}

/** The bodies among the rules in a range that consist of items. */
function itemBodies(text: string, begin: number, end: number): { begin: number; end: number }[] {
  const found: { begin: number; end: number }[] = [];
  for (let at = nextGroup(text, begin, end); at >= 0; at = nextGroup(text, at, end)) {
    const pattern = groupEnd(text, at);
    const body = pattern < 0 ? -1 : nextGroup(text, pattern + 1, end);
    const close = body < 0 ? -1 : groupEnd(text, body);
    if (close < 0 || close > end) break;
    const content = text.slice(body + 1, close);
    if (content.length <= MAX_BODY && ITEM.test(content) && !UNREADABLE.test(content))
      found.push({ begin: body + 1, end: close });
    at = close + 1;
  }
  return found;
}

/** Offset of the next opening bracket in a range; -1 if there is none. */
function nextGroup(text: string, begin: number, end: number): number {
  TOKENS.lastIndex = begin;
  for (let found = TOKENS.exec(text); found && found.index < end; found = TOKENS.exec(text))
    if (/^[([{]$/.test(found[0])) return found.index;
  return -1;
}

/** Offset of the bracket that closes the one at `open`; -1 if there is none. */
function groupEnd(text: string, open: number): number {
  TOKENS.lastIndex = open;
  let depth = 0;
  for (let found = TOKENS.exec(text); found; found = TOKENS.exec(text)) {
    if (/^[([{]$/.test(found[0])) depth += 1;
    else if (/^[)\]}]$/.test(found[0])) depth -= 1;
    if (depth === 0) return found.index;
  }
  return -1;
}

/** Keeps one copy of each repeated part; a path of the macro's own crate is a path of this one. */
function withoutRepetitions(body: string): string {
  const characters = [...body.replaceAll("$crate", " crate")];
  if (characters.length !== body.length) return body;
  for (const { index } of body.matchAll(REPETITION)) {
    const end = groupEnd(body, index + 1);
    if (end < 0) break;
    const after = REPEATED.exec(body.slice(end + 1, end + 100));
    if (!after) continue;
    characters[index] = " ";
    characters[index + 1] = " ";
    for (let at = end; at <= end + after[0].length; at += 1) if (characters[at] !== "\n") characters[at] = " ";
  }
  return characters.join("");
}

/** Line breaks stay. */
function spaces(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}
