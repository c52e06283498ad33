/**
 * Whether an answer is borne out by what was read. A model may cite what it never saw, quote what nobody wrote and
 * explain what it merely knows: references are looked up in the reading, quotations are looked for in the texts, and
 * each sentence must share its telling words with them.
 */
import { sentences, unitsOf } from "./blocks.ts";
import { givesOrders } from "./injected.ts";
import type { Reading, ReadPassage } from "./passage.ts";
import { tellingTerms, termsOf } from "./terms.ts";

/** Share of a sentence's telling words that must stand in a passage. */
const BORNE_OUT = 0.5;
/** Of code, whose words are names: an example may be adapted, not invented. */
const CODE_BORNE_OUT = 0.6;
const FEWEST_TERMS = 4;
const FEWEST_QUOTED_WORDS = 4;

const REF = /\[\s*(S\d{1,3}(?:\s*[,;]\s*S?\d{1,3})*)\s*\]/gi;
const QUOTE = /"([^"\n]{12,600})"|“([^”\n]{12,600})”/g;
const NAME = /`([^`\n]{2,120})`/g;
/** Says what was not found, which no passage can bear out. */
const ABSENCE =
  /\b(?:documentation|docs?|documents?|sources?|sections?|passages?|collections?|they|it)\b.{0,60}\b(?:do(?:es)? not|don't|doesn't|did not|didn't|never|no)\b|\b(?:could|can) ?n[o']t find\b|\bnot (?:documented|mentioned|covered|stated|specified)\b|\bno (?:information|mention|documentation)\b/i;

export interface Checked {
  /** Without references to what was not read. */
  text: string;
  cited: ReadPassage[];
  /** References that lead to nothing that was read. */
  dropped: string[];
  /** Quotations that stand nowhere in what was read. */
  misquoted: string[];
  /** Sentences that nothing read bears out. */
  unsupported: string[];
  /** Share of the sentences that something bears out; 1 where there is none to check. */
  supported: number;
}

/** `named`: passages the model names beside its text, already looked up. */
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
  // An answer without references still rests on something: on what bears its sentences out.
  const candidates = cited.size > 0 ? [...cited] : reading.passages;
  const evidence = candidates.map(evidenceOf);
  const everything = reading.passages.map(evidenceOf);
  const statements = statementsOf(text);
  const unsupported: string[] = [];
  for (const { said, code } of statements) {
    const bearer = bearerOf(said, code, evidence) ?? bearerOf(said, code, everything);
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

/** A passage may grow while it is read. */
function evidenceOf(passage: ReadPassage): Evidence {
  const before = known.get(passage);
  if (before?.text === passage.text) return before.evidence;
  const { title, section, document, text } = passage;
  // Orders to a model are no statements about anything: nothing is borne out by them.
  const said = text.split("\n").filter((line) => !givesOrders(line));
  const whole = `${title}\n${section ?? ""}\n${document}\n${said.join("\n")}`;
  const evidence = { passage, terms: termsOf(whole), flat: flatten(whole) };
  known.set(passage, { text, evidence });
  return evidence;
}

interface Statement {
  said: string;
  code: boolean;
}

/** What can be true or false: sentences, items, rows and code, without those that say too little to check. */
function statementsOf(text: string): Statement[] {
  return unitsOf(text).flatMap((unit): Statement[] => {
    if (unit.kind === "code") return [{ said: unit.text, code: true }];
    const said = unit.kind === "item" ? sentences(unit.text.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, "")) : [unit.text];
    return said.flatMap((each) => {
      const plain = each.replace(REF, "").trim();
      if (givesOrders(plain)) return { said: plain, code: false };
      if (ABSENCE.test(plain) || (tellingTerms(plain).length < FEWEST_TERMS && namesIn(plain).length === 0)) return [];
      return { said: plain, code: false };
    });
  });
}

/** The passage that bears a statement out best; undefined when none does. */
function bearerOf(said: string, code: boolean, evidence: readonly Evidence[]): ReadPassage | undefined {
  if (givesOrders(said)) return undefined;
  const terms = tellingTerms(code ? said.replace(/^```.*$/gm, "") : said);
  if (terms.length === 0) return evidence[0]?.passage;
  const names = code ? [] : namesIn(said);
  const commands = code ? [] : commandsIn(said);
  let best: { passage: ReadPassage; share: number } | undefined;
  for (const { passage, terms: held, flat } of evidence) {
    if (!names.every((name) => flat.includes(name)) || !commands.every((command) => bears(held, command))) continue;
    const share = terms.filter((term) => held.has(term)).length / terms.length;
    if (share >= (code ? CODE_BORNE_OUT : BORNE_OUT) && share > (best?.share ?? 0)) best = { passage, share };
  }
  return best?.passage;
}

/** Names in code marks must be the documentation's own; a call is known by its name alone. */
function namesIn(text: string): string[] {
  return [...text.matchAll(NAME)]
    .map(([, name = ""]) => flatten(name.replace(/\(.*\)$/, "")))
    .filter((name) => /^[\w.:@/-]{3,}$/.test(name));
}

/** Of a command in code marks, its words: numbers and places in it may be the asker's own. */
function commandsIn(text: string): string[][] {
  return [...text.matchAll(NAME)]
    .map(([, code = ""]) => code.trim())
    .filter((code) => /\s/.test(code))
    .map((code) => [...termsOf(code)].filter((term) => !/^\d+$/.test(term)))
    .filter((terms) => terms.length > 0);
}

function bears(held: ReadonlySet<string>, terms: readonly string[]): boolean {
  return terms.filter((term) => held.has(term)).length >= terms.length * CODE_BORNE_OUT;
}

function quotationsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  const quoted = [...prose.matchAll(QUOTE)].map(([, straight, curly]) => straight ?? curly ?? "");
  const blocks = [...prose.matchAll(/(?:^> ?.*\n?)+/gm)].map(([block]) => block.replace(/^> ?/gm, "").replace(REF, ""));
  return [...quoted, ...blocks].filter((quote) => quote.trim().split(/\s+/).length >= FEWEST_QUOTED_WORDS);
}

/** But for case, white space, markup and the shapes of quotes. */
function flatten(text: string): string {
  return text
    .toLowerCase()
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[*_`]/g, "")
    .replace(/\s+/g, " ")
    .replace(/^[\s.…]+|(?<![\s.…])[\s.…]+$/g, "");
}
