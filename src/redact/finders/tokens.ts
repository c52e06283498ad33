/** Tokens known by their prefix: from the table of anchors to the span of the whole token. */
import { looksIssued, looksRandom } from "../judges/entropy.ts";
import { COMPANION_RULES, TOKEN_RULES } from "../tables/rules.ts";
import type { TokenRule } from "../tables/shapes.ts";
import type { Span } from "./span.ts";

interface Matcher {
  rule: TokenRule;
  pattern: RegExp;
}

const RULES = new Map<string, TokenRule[]>();
for (const rule of TOKEN_RULES) {
  for (const anchor of rule.anchors) {
    const list = RULES.get(anchor);
    if (list) list.push(rule);
    else RULES.set(anchor, [rule]);
  }
}

export const TOKEN_ANCHORS: readonly string[] = [...RULES.keys()];

/** Patterns are compiled when their anchor first occurs: a hook waits for this file, and few texts have any anchor. */
const matchers = new Map<string, readonly Matcher[]>();

function matchersOf(anchor: string): readonly Matcher[] {
  const known = matchers.get(anchor);
  if (known) return known;
  const made = (RULES.get(anchor) ?? []).map((rule) => {
    const lead = rule.lead === undefined ? "" : `(?<=(${rule.lead}))`;
    return { rule, pattern: new RegExp(`${lead}${escapeSource(anchor)}${rule.body}`, "y") };
  });
  matchers.set(anchor, made);
  return made;
}

const COMPANIONS = COMPANION_RULES.map((rule) => ({ ...rule, pattern: new RegExp(rule.pattern, "g") }));
const REST = /[A-Za-z0-9]{0,65536}/y;
const LONG_REST = /[A-Za-z0-9_+/=-]{0,65536}/y;
const LONG = 400;
/** Enough characters to recognise a real body. */
const JUDGED = 64;
/** Ends in a letter or digit that does not belong to the following word: an escape, a percent code, a colour. */
const WORDLESS = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{0,8}m)$/;

/** The token that starts with `anchor` at `start`, if there is one. */
export function tokenSpan(text: string, anchor: string, start: number): Span | undefined {
  for (const { rule, pattern } of matchersOf(anchor)) {
    if (rule.bounded !== undefined && !isWordStart(text, start, rule.bounded === "apart")) continue;
    pattern.lastIndex = start;
    const found = pattern.exec(text);
    if (found === null) continue;
    const lead = rule.lead === undefined ? "" : (found[1] ?? "");
    if (!rule.certain && !looksIssued((lead + found[0].slice(anchor.length)).slice(0, JUDGED))) continue;
    const end = start + found[0].length;
    return { start: start - lead.length, end: end + restLength(text, end, found[0].length), id: rule.id };
  }
  return undefined;
}

/** Secrets without a shape near a token that reveals them: an AWS secret next to its key id. */
export function companionSpans(text: string, token: Span): Span[] {
  const spans: Span[] = [];
  for (const rule of COMPANIONS) {
    if (rule.near !== token.id) continue;
    const from = Math.max(0, token.start - rule.within);
    for (const found of text.slice(from, token.end + rule.within).matchAll(rule.pattern)) {
      const start = from + found.index;
      const end = start + found[0].length;
      if (start < token.end && end > token.start) continue;
      if (looksRandom(found[0], true)) spans.push({ start, end, id: rule.id });
    }
  }
  return spans;
}

function isWordStart(text: string, start: number, apart: boolean): boolean {
  if (start === 0 || !(apart ? /[A-Za-z0-9_.-]/ : /[A-Za-z0-9]/).test(text.charAt(start - 1))) return true;
  return WORDLESS.test(text.slice(Math.max(0, start - 10), start));
}

/** A token extends to the end of its word: the rest beyond a rule's length would be part of it. */
function restLength(text: string, end: number, length: number): number {
  const rest = length < LONG ? REST : LONG_REST;
  rest.lastIndex = end;
  return rest.exec(text)?.[0].length ?? 0;
}

function escapeSource(literal: string): string {
  return literal.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
