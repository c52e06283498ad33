/**
 * Checks an answer against the passages read. A model may cite a passage it never read, invent a quotation, or answer
 * from its own knowledge. So dex resolves each reference, looks for each quotation in the texts, and requires each
 * sentence to share its significant words with a passage.
 */

import type { Reading, ReadPassage } from "../passage.ts";
import { sentences, unitsOf } from "../quoting/blocks.ts";
import { isInstruction } from "../quoting/injected.ts";
import { significantTerms, termsOf } from "../terms.ts";

/** Share of a sentence's significant words that a passage must contain. */
const MIN_SUPPORT = 0.5;
/** The same for code, whose words are names: an example may be adapted, not invented. */
const MIN_CODE_SUPPORT = 0.6;
const MIN_TERMS = 4;
const MIN_QUOTED_WORDS = 4;

const REF = /\[\s*(S\d{1,3}(?:\s*[,;]\s*S?\d{1,3})*)\s*\]/gi;
const QUOTE = /"([^"\n]{12,600})"|“([^”\n]{12,600})”/g;
const NAME = /`([^`\n]{2,120})`/g;
/** Matches a sentence that says what was not found, which no passage can support. */
const ABSENCE =
  /\b(?:documentation|docs?|documents?|sources?|sections?|passages?|collections?|they|it)\b.{0,60}\b(?:do(?:es)? not|don't|doesn't|did not|didn't|never|no)\b|\b(?:could|can) ?n[o']t find\b|\bnot (?:documented|mentioned|covered|stated|specified)\b|\bno (?:information|mention|documentation)\b/i;

export interface Checked {
  /** The answer without references to unread passages. */
  text: string;
  cited: ReadPassage[];
  /** References to passages that were not read. */
  dropped: string[];
  /** Quotations that are in none of the passages read. */
  misquoted: string[];
  /** Sentences that no passage supports. */
  unsupported: string[];
  /** Share of the sentences that a passage supports; 1 when there is none to check. */
  supported: number;
}

/** `named`: passages that the model cites outside its text, already resolved. */
export function checkAnswer(answer: string, reading: Reading, named: readonly ReadPassage[] = []): Checked {
  const cited = new Set<ReadPassage>(named);
  const dropped = new Set<string>();
  const text = answer.replace(REF, (_, list: string) => {
    const kept = list.split(/[,;]/).flatMap((part) => {
      const ref = `S${/\d+/.exec(part)?.[0] ?? ""}`;
      const passage = reading.byRef(ref);
      if (passage) cited.add(passage);
      else dropped.add(ref);
      return passage ? [ref] : [];
    });
    return kept.length > 0 ? `[${kept.join(", ")}]` : "";
  });
  // For an answer without references, the sources are the passages that support its sentences.
  const candidates = cited.size > 0 ? [...cited] : reading.passages;
  const evidence = candidates.map(evidenceOf);
  const everything = reading.passages.map(evidenceOf);
  const statements = statementsOf(text);
  const unsupported: string[] = [];
  for (const { said, code } of statements) {
    const bearer = supporterOf(said, code, evidence) ?? supporterOf(said, code, everything);
    if (bearer) cited.add(bearer);
    else unsupported.push(said);
  }
  return {
    text: text.replace(/(?<![ \t])[ \t]+([.,;:!?])/g, "$1").trim(),
    cited: reading.passages.filter((passage) => cited.has(passage)),
    dropped: [...dropped],
    misquoted: quotationsOf(text).filter((quote) => !everything.some(({ flat }) => flat.includes(flatten(quote)))),
    unsupported,
    supported: statements.length === 0 ? 1 : 1 - unsupported.length / statements.length,
  };
}

interface Evidence {
  passage: ReadPassage;
  terms: Set<string>;
  flat: string;
}

const known = new WeakMap<ReadPassage, { text: string; evidence: Evidence }>();

/** Cached by passage and text, because a passage may grow when more of it is read. */
function evidenceOf(passage: ReadPassage): Evidence {
  const before = known.get(passage);
  if (before?.text === passage.text) return before.evidence;
  const { title, section, document, text } = passage;
  // Injected instructions are not evidence for any statement.
  const said = text.split("\n").filter((line) => !isInstruction(line));
  const whole = `${title}\n${section ?? ""}\n${document}\n${said.join("\n")}`;
  const evidence = { passage, terms: termsOf(whole), flat: flatten(whole) };
  known.set(passage, { text, evidence });
  return evidence;
}

interface Statement {
  said: string;
  code: boolean;
}

/** The units of the answer that can be checked: sentences, items, rows and code with enough words. */
function statementsOf(text: string): Statement[] {
  return unitsOf(text).flatMap((unit): Statement[] => {
    if (unit.kind === "code") return [{ said: unit.text, code: true }];
    const said = unit.kind === "item" ? sentences(unit.text.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, "")) : [unit.text];
    return said.flatMap((each) => {
      const plain = each.replace(REF, "").trim();
      if (isInstruction(plain)) return { said: plain, code: false };
      if (ABSENCE.test(plain) || (significantTerms(plain).length < MIN_TERMS && namesIn(plain).length === 0)) return [];
      return { said: plain, code: false };
    });
  });
}

/** The passage that supports a statement best; undefined when none does. */
function supporterOf(statement: string, code: boolean, evidence: readonly Evidence[]): ReadPassage | undefined {
  if (isInstruction(statement)) return undefined;
  const terms = significantTerms(code ? statement.replace(/^```.*$/gm, "") : statement);
  if (terms.length === 0) return evidence[0]?.passage;
  const names = code ? [] : namesIn(statement);
  const commands = code ? [] : commandsIn(statement);
  let best: { passage: ReadPassage; share: number } | undefined;
  for (const { passage, terms: held, flat } of evidence) {
    if (!names.every((name) => flat.includes(name)) || !commands.every((command) => containsMost(held, command)))
      continue;
    const share = terms.filter((term) => held.has(term)).length / terms.length;
    if (share >= (code ? MIN_CODE_SUPPORT : MIN_SUPPORT) && share > (best?.share ?? 0)) best = { passage, share };
  }
  return best?.passage;
}

/** Names in backticks, which must occur in the sources; of a call, only the function's name. */
function namesIn(text: string): string[] {
  return [...text.matchAll(NAME)]
    .map(([, name = ""]) => flatten(name.replace(/\(.*\)$/, "")))
    .filter((name) => /^[\w.:@/-]{3,}$/.test(name));
}

/** The words of commands in backticks; numbers and paths in them may be the asker's own. */
function commandsIn(text: string): string[][] {
  return [...text.matchAll(NAME)]
    .map(([, code = ""]) => code.trim())
    .filter((code) => /\s/.test(code))
    .map((code) => [...termsOf(code)].filter((term) => !/^\d+$/.test(term)))
    .filter((terms) => terms.length > 0);
}

function containsMost(held: ReadonlySet<string>, terms: readonly string[]): boolean {
  return terms.filter((term) => held.has(term)).length >= terms.length * MIN_CODE_SUPPORT;
}

function quotationsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  const quoted = [...prose.matchAll(QUOTE)].map(([, straight, curly]) => straight ?? curly ?? "");
  const blocks = [...prose.matchAll(/(?:^> ?.*\n?)+/gm)].map(([block]) => block.replace(/^> ?/gm, "").replace(REF, ""));
  return [...quoted, ...blocks].filter((quote) => quote.trim().split(/\s+/).length >= MIN_QUOTED_WORDS);
}

/** Normalizes case, white space, markup and quotation marks. */
function flatten(text: string): string {
  return text
    .toLowerCase()
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[*_`]/g, "")
    .replace(/\s+/g, " ")
    .replace(/^[\s.…]+|(?<![\s.…])[\s.…]+$/g, "");
}
