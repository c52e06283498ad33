/**
 * Tokens known by their prefix. The table of anchors becomes a part of the one scanning expression (`TOKEN_PIVOTS`),
 * which stops at a rare character of an anchor; `tokenAt` then decides what stands there.
 */
import { looksIssued, looksRandom } from "./entropy.ts";
import { COMPANION_RULES, TOKEN_RULES, type TokenRule } from "./rules.ts";
import type { Span } from "./span.ts";

interface Anchor {
  rule: TokenRule;
  /** How far the pivot lies inside the anchor. */
  offset: number;
  text: string;
  pattern: RegExp;
}

/** Most anchors end in one of these, before a long body: one alternative of the scan finds all of them. */
const SEPARATORS = "_-";
const BODY_AHEAD = "[A-Za-z0-9][A-Za-z0-9_-]{14}";
/** Letters and signs from frequent to rare; whatever is not listed (capitals, digits) is rarer still. */
const FREQUENT = "etaoisnrlcdp.umhgfybwkv";
const ALNUM_RUN = /[A-Za-z0-9]{0,65536}/y;

const COMPANIONS = COMPANION_RULES.map((rule) => ({ ...rule, pattern: new RegExp(rule.pattern, "g") }));

/** Anchors that end in a separator, by their last three characters. */
const BY_ENDING = new Map<string, Anchor[]>();
/** All others, by the character at which the scan stops. */
const BY_PIVOT = new Map<string, Anchor[]>();
const pivotSources = new Map<string, string[]>();

for (const rule of TOKEN_RULES) for (const anchor of rule.anchors) register(rule, anchor);

/** Alternatives for the scan, each consuming exactly the pivot character; `extra` adds cases for the separators. */
export function tokenPivots(extra: ReadonlyMap<string, readonly string[]>): string {
  const cases = new Map<string, string[]>([...pivotSources].map(([pivot, sources]) => [pivot, [...sources]]));
  for (const [pivot, sources] of extra) cases.set(pivot, [...(cases.get(pivot) ?? []), ...sources]);
  const alternatives = [`[${SEPARATORS}](?=${BODY_AHEAD})`];
  for (const [pivot, sources] of cases) alternatives.push(`${escapeSource(pivot)}(?:${sources.join("|")})`);
  return alternatives.join("|");
}

/** The token whose anchor has its pivot at `at`, if there is one. */
export function tokenAt(text: string, at: number): Span | undefined {
  const pivot = text.charAt(at);
  if (pivot === "_" || pivot === "-") {
    const found = firstMatch(text, at, BY_ENDING.get(text.slice(at - 2, at + 1)));
    if (found !== undefined) return found;
  }
  return firstMatch(text, at, BY_PIVOT.get(pivot));
}

/** Secrets without a shape that stand near a token which gives them away: an AWS secret beside its key id. */
export function companionSpans(text: string, token: Span): Span[] {
  const spans: Span[] = [];
  for (const rule of COMPANIONS) {
    if (rule.near !== token.id) continue;
    const from = Math.max(0, token.start - rule.within);
    for (const found of text.slice(from, token.end + rule.within).matchAll(rule.pattern)) {
      const start = from + found.index;
      if (start < token.end && start + found[0].length > token.start) continue;
      if (!looksRandom(found[0], true)) continue;
      spans.push({ start, end: start + found[0].length, id: rule.id });
    }
  }
  return spans;
}

function firstMatch(text: string, at: number, anchors: readonly Anchor[] | undefined): Span | undefined {
  if (anchors === undefined) return undefined;
  for (const anchor of anchors) {
    const start = at - anchor.offset;
    if (start < 0 || !text.startsWith(anchor.text, start)) continue;
    if (anchor.rule.bounded && !isTokenStart(text, start)) continue;
    const span = match(text, start, anchor);
    if (span !== undefined) return span;
  }
  return undefined;
}

function match(text: string, start: number, anchor: Anchor): Span | undefined {
  const { rule, pattern } = anchor;
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const lead = rule.lead === undefined ? "" : (found[1] ?? "");
  const body = lead + found[0].slice(anchor.text.length);
  if (!rule.certain && !looksIssued(body)) return undefined;
  ALNUM_RUN.lastIndex = start + found[0].length;
  const rest = ALNUM_RUN.exec(text)?.[0].length ?? 0;
  return { start: start - lead.length, end: start + found[0].length + rest, id: rule.id };
}

/**
 * A short anchor counts only where a word begins; an escape (`\n`), a percent code (`%3D`) or a colour sequence
 * (`[32m`) right before it ends in a letter or digit without being a part of the word.
 */
function isTokenStart(text: string, start: number): boolean {
  if (start === 0 || !/[A-Za-z0-9]/.test(text.charAt(start - 1))) return true;
  return /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{0,8}m)$/.test(
    text.slice(Math.max(0, start - 10), start),
  );
}

function register(rule: TokenRule, text: string): void {
  const lead = rule.lead === undefined ? "" : `(?<=(${rule.lead}))`;
  const pattern = new RegExp(`${lead}${escapeSource(text)}${rule.body}`, "y");
  if (text.length >= 3 && SEPARATORS.includes(text.slice(-1))) {
    push(BY_ENDING, text.slice(-3), { rule, text, offset: text.length - 1, pattern });
    return;
  }
  const offset = rarest(text);
  const pivot = text.charAt(offset);
  const before = offset > 0 || lead !== "" ? `(?<=${rule.lead ?? ""}${escapeSource(text.slice(0, offset + 1))})` : "";
  push(pivotSources, pivot, `${before}(?=${escapeSource(text.slice(offset + 1))}${rule.body})`);
  push(BY_PIVOT, pivot, { rule, text, offset, pattern });
}

function rarest(text: string): number {
  let best = 0;
  for (let at = 0; at < text.length; at++) if (rarity(text.charAt(at)) > rarity(text.charAt(best))) best = at;
  return best;
}

function rarity(character: string): number {
  // The scan stops at separators anyway, so that one costs nothing more.
  if (SEPARATORS.includes(character)) return 100;
  const rank = FREQUENT.indexOf(character);
  return rank === -1 ? 50 : rank;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function escapeSource(literal: string): string {
  return literal.replace(/[$()*+.?[\\\]^{|}-]/g, "\\$&").replace(/^\\-$/, "-");
}
