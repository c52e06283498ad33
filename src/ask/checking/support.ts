/**
 * Checks an answer against the passages read. A model may cite a passage it never read, invent a quotation, or answer
 * from its own knowledge. So dex resolves each reference, looks for each quotation in the texts, and requires each
 * sentence to share its significant words, and all of its details, with the passage that it cites.
 */
import type { Reading, ReadPassage } from "../passage.ts";
import { significantTerms, termsOf } from "../question/terms.ts";
import { isInstruction } from "../quoting/injected.ts";
import { sentences } from "../quoting/units/sentences.ts";
import { unitsOf } from "../quoting/units/units.ts";
import { isContradicted, missingDetails } from "./details.ts";

/** Share of a sentence's significant words that a passage must contain. */
const MIN_SUPPORT = 0.5;
/** The same for code, whose words are names. It is higher, because an example may be adapted but not invented. */
const MIN_CODE_SUPPORT = 0.6;
const MIN_TERMS = 4;
/** The least number of shared words for a sentence with a reference. */
const MIN_CITED_TERMS = 2;
const MIN_QUOTED_WORDS = 4;

const REF = /\[\s*(S\d{1,3}(?:\s*[,;]\s*S?\d{1,3})*)\s*\]/gi;
const QUOTE = /"([^"\n]{12,600})"|“([^”\n]{12,600})”/g;
const NAME = /`([^`\n]{2,120})`/g;
/** Matches a sentence about what was not found: no passage can support it. */
const ABSENCE =
  /\b(?:documentation|docs?|documents?|sources?|sections?|passages?|collections?|they|it)\b.{0,60}\b(?:do(?:es)? not|don't|doesn't|did not|didn't|never|no)\b|\b(?:could|can) ?n[o']t find\b|\bnot (?:documented|mentioned|covered|stated|specified)\b|\bno (?:information|mention|documentation)\b/i;
/** Matches an answer that begins by saying that it does not know. */
const REFUSAL = new RegExp(
  [
    "\\b(?:documentation|docs?|documents?|sources?|passages?|sections?|collections?|material|context|conversations?|code|tools?)\\b.{0,80}\\b(?:do(?:es)?(?: not|n['’]t)|did(?: not|n['’]t)|never|nothing|nowhere|no)\\b.{0,40}\\b(?:mention|say|state|cover|describe|document|answer|specif|contain|include|provide|discuss|explain|address|list|tell|information|details)",
    "\\b(?:could|can|was|were) ?(?:not|n['’]t) (?:able to )?(?:find|answer|determine|locate)\\b",
    "\\b(?:is|are|was|were)(?: not|n['’]t) (?:documented|mentioned|covered|stated|specified|described|answered|found|addressed)\\b",
    "\\b(?:there is|there's|i (?:have|found|see)) (?:no|nothing)\\b.{0,60}\\b(?:about|on|for|information|mention|documentation|answer|in the)\\b",
    "\\bI (?:do not|don['’]t) know\\b",
  ].join("|"),
  "i",
);

/** Whether the model declines to answer instead of answering from the passages. */
export function isRefusal(answer: string): boolean {
  const [first = ""] = sentences(answer.replace(REF, "").replace(/^[\s#>*_-]+/, ""));
  return REFUSAL.test(first) && !/\b(?:but|however|although|instead)\b/i.test(first);
}

export interface Checked {
  /** The answer without references to unread passages. */
  text: string;
  cited: ReadPassage[];
  /** References to passages that were not read. */
  dropped: string[];
  /** Quotations that occur in none of the passages read. */
  misquoted: string[];
  /** Passages that the answer cites for a statement they do not support. */
  unrelated: string[];
  /** Sentences that no passage supports. */
  unsupported: string[];
  /** Numbers, versions and flags that the cited passage lacks, and statements whose opposite it says. */
  differing: string[];
  /** Share of the sentences that a passage supports; 1 when there is none to check. */
  supported: number;
}

/** `named`: the resolved passages that the model cites outside its text. `asked`: the question. */
export function checkAnswer(answer: string, reading: Reading, named: readonly ReadPassage[], asked: string): Checked {
  const refs = new Set<ReadPassage>(named);
  const dropped = new Set<string>();
  const known = withKnownRefs(answer, reading, refs, dropped);
  // For an answer without references, the sources are the passages that support its sentences.
  const candidates = refs.size > 0 ? [...refs] : reading.passages;
  const evidence = candidates.map(evidenceOf);
  const everything = reading.passages.map(evidenceOf);
  const statements = statementsOf(known);
  const bearers = new Set<ReadPassage>();
  const unsupported: string[] = [];
  const differing: string[] = [];
  let flawed = 0;
  for (const { said, code, cited } of statements) {
    const own = cited
      .map((ref) => reading.byRef(ref))
      .filter((each) => each !== undefined)
      .map(evidenceOf);
    const bearer =
      supporterOf(said, code, own, asked) ??
      supporterOf(said, code, evidence, asked) ??
      supporterOf(said, code, everything, asked);
    if (bearer) {
      bearers.add(bearer);
      continue;
    }
    flawed += 1;
    const near = bestOf(said, code, own.length > 0 ? own : evidence);
    if (near) bearers.add(near.passage);
    const why = near && !code ? differenceOf(said, near, asked) : undefined;
    if (why === undefined) unsupported.push(said);
    else differing.push(why);
  }
  // Citations that support no statement. An answer without statements to check keeps all of its citations.
  const unrelated = statements.length === 0 ? [] : [...refs].filter((passage) => !bearers.has(passage));
  const text = withoutRefs(known, unrelated);
  const kept = statements.length === 0 ? refs : bearers;
  return {
    text: text.replace(/(?<![ \t])[ \t]+([.,;:!?])/g, "$1").trim(),
    cited: reading.passages.filter((passage) => kept.has(passage)),
    dropped: [...dropped],
    unrelated: unrelated.map(({ ref }) => ref),
    misquoted: quotationsOf(text).filter((quote) => !everything.some(({ flat }) => flat.includes(flatten(quote)))),
    unsupported,
    differing,
    supported: statements.length === 0 ? 1 : 1 - flawed / statements.length,
  };
}

/** Resolves references and removes those of passages that were not read. */
function withKnownRefs(answer: string, reading: Reading, refs: Set<ReadPassage>, dropped: Set<string>): string {
  return answer.replace(REF, (_, list: string) => {
    const kept = list.split(/[,;]/).flatMap((part) => {
      const ref = `S${/\d+/.exec(part)?.[0] ?? ""}`;
      const passage = reading.byRef(ref);
      if (passage) refs.add(passage);
      else dropped.add(ref);
      return passage ? [ref] : [];
    });
    return kept.length > 0 ? `[${kept.join(", ")}]` : "";
  });
}

function withoutRefs(text: string, passages: readonly ReadPassage[]): string {
  if (passages.length === 0) return text;
  return text.replace(REF, (_, list: string) => {
    const kept = list.split(/[,;]\s*/).filter((ref) => !passages.some((passage) => passage.ref === ref.trim()));
    return kept.length > 0 ? `[${kept.join(", ")}]` : "";
  });
}

/** A description of how a statement differs from the passage that it repeats. */
function differenceOf(said: string, { whole }: Evidence, asked: string): string | undefined {
  const missing = missingDetails(said, whole, asked);
  if (missing.length > 0) return `${missing.join(", ")} in "${said}"`;
  return isContradicted(said, whole) ? `the opposite of "${said}"` : undefined;
}

interface Evidence {
  passage: ReadPassage;
  terms: Set<string>;
  flat: string;
  /** The text without injected instructions. */
  whole: string;
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
  const evidence = { passage, terms: termsOf(whole), flat: flatten(whole), whole };
  known.set(passage, { text, evidence });
  return evidence;
}

interface Statement {
  said: string;
  code: boolean;
  /** The references in the statement. */
  cited: string[];
}

/** The units of the answer that can be checked: sentences, items, rows and code with enough words. */
function statementsOf(text: string): Statement[] {
  return unitsOf(text).flatMap((unit): Statement[] => {
    if (unit.kind === "code") return [{ said: unit.text, code: true, cited: [] }];
    const said = unit.kind === "item" ? sentences(unit.text.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, "")) : [unit.text];
    return said.flatMap((each) => {
      const plain = each.replace(REF, "").trim();
      const cited = [...each.matchAll(REF)].flatMap(([, list = ""]) => list.split(/[,;]\s*/));
      if (isInstruction(plain)) return { said: plain, code: false, cited };
      const isShort = significantTerms(plain).length < (cited.length > 0 ? MIN_CITED_TERMS : MIN_TERMS);
      if (ABSENCE.test(plain) || (isShort && namesIn(plain).length === 0 && !/\d/.test(plain))) return [];
      return { said: plain, code: false, cited };
    });
  });
}

/** The passage that supports a statement best, with its details; undefined when none does. */
function supporterOf(
  statement: string,
  code: boolean,
  evidence: readonly Evidence[],
  asked: string,
): ReadPassage | undefined {
  const same = code ? evidence : evidence.filter((each) => differenceOf(statement, each, asked) === undefined);
  return bestOf(statement, code, same)?.passage;
}

/** The passage with the most words of the statement, and all of its names and commands. */
function bestOf(statement: string, code: boolean, evidence: readonly Evidence[]): Evidence | undefined {
  if (isInstruction(statement)) return undefined;
  const terms = significantTerms(code ? statement.replace(/^```.*$/gm, "") : statement);
  if (terms.length === 0) return evidence[0];
  const names = code ? [] : namesIn(statement);
  const commands = code ? [] : commandsIn(statement);
  let best: { each: Evidence; share: number } | undefined;
  for (const each of evidence) {
    const { terms: held, flat } = each;
    if (!names.every((name) => flat.includes(name)) || !commands.every((command) => containsMost(held, command)))
      continue;
    // Numbers and flags are looked for by `differenceOf`.
    const words = terms.filter((term) => !/^\d+$/.test(term));
    const share = words.length === 0 ? 1 : words.filter((term) => held.has(term)).length / words.length;
    if (share >= (code ? MIN_CODE_SUPPORT : MIN_SUPPORT) && share > (best?.share ?? 0)) best = { each, share };
  }
  return best?.each;
}

/** Names in backticks, which must occur in the sources; of a call, only the function's name. */
function namesIn(text: string): string[] {
  return [...text.matchAll(NAME)]
    .map(([, name = ""]) => flatten(name.replace(/\(.*\)$/, "")))
    .filter((name) => /^[\w.:@/-]{3,}$/.test(name) && !/^-|^\d[\d._,]*$/.test(name));
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
