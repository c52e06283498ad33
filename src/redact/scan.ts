/**
 * Scans a text once for all rules: the prefixes, names and marks of the rules form one list of literals, and a rule runs
 * only where its literal occurs. Every synced byte passes here; measure changes with `bench/speed/redaction.ts`.
 */
import { announcedSpans } from "./finders/assignments.ts";
import { privateKeySpan, puttyKeySpan } from "./finders/blocks.ts";
import {
  COMMAND_RULES,
  chpasswdSpans,
  commandSpans,
  configuredSpans,
  curlUserSpans,
  pipedSpans,
} from "./finders/commands.ts";
import { kubernetesSpans, pgpassSpans, webKeySpans } from "./finders/documents.ts";
import { schemeSpans } from "./finders/headers.ts";
import { linkSpans } from "./finders/links.ts";
import { type LiteralScanner, literalScanner, plainScanner } from "./finders/literals.ts";
import { prefixedSpan } from "./finders/prefixed.ts";
import { statedAfter } from "./finders/sentences.ts";
import { mergeSpans, type Span, throughInvisible } from "./finders/span.ts";
import { companionSpans, TOKEN_ANCHORS, tokenSpan } from "./finders/tokens.ts";
import { NAME_LITERALS } from "./judges/names.ts";
import { FOREIGN_WORDS, type ForeignWord } from "./tables/other_languages.ts";

interface Rule {
  /** Recognised by a name next to it, not by its own shape. */
  named: boolean;
  at: (text: string, start: number) => Span | Span[] | undefined;
}

/** The shortest text with a secret that any rule knows: `a://b:cd@e`. */
const MIN_CHARS = 10;
const NONE: readonly Span[] = [];

const rules: [literal: string, rule: Rule][] = [
  ...TOKEN_ANCHORS.map((anchor) => shaped(anchor, (text, start) => tokenSpan(text, anchor, start))),
  ...NAME_LITERALS.map((name) => named(name, (text, start) => announcedSpans(text, start + name.length))),
  ...["Bearer ", "bearer ", "Basic ", "basic "].map((scheme) => named(scheme, schemeSpans)),
  ...["://", ":\\/\\/"].map((mark) => named(mark, linkSpans)),
  ...[" -u ", " --user ", " --user=", " -a ", " --auth ", " --proxy-user ", " -U "].map((option) =>
    named(option, curlUserSpans),
  ),
  ...COMMAND_RULES.flatMap(({ literals }) => literals).map((literal) =>
    named(literal, (text, start) => commandSpans(text, literal, start)),
  ),
  ...["requirepass", "masterauth"].map((word) => named(word, configuredSpans)),
  named("chpasswd", chpasswdSpans),
  ...["--password-stdin", "--with-token", "--token-stdin", "--with-access-token"].map((option) =>
    named(option, pipedSpans),
  ),
  ...["kind: Secret", 'kind": "Secret', 'kind":"Secret', 'kind\\": \\"Secret', 'kind\\":\\"Secret'].map((kind) =>
    named(kind, kubernetesSpans),
  ),
  ...[":5432:", ":5433:", ":6432:", ":*:"].map((mark) => named(mark, pgpassSpans)),
  ...['"kty"', '"kty\\"'].map((member) => named(member, webKeySpans)),
  ...FOREIGN_WORDS.map(foreign),
  shaped("-----BEGIN ", privateKeySpan),
  shaped("Private-Lines: ", puttyKeySpan),
];
/** Everything the text is scanned for. */
export const LITERALS: readonly string[] = rules.map(([literal]) => literal);
/** A process that scans more than this many characters gets the scanner that is slow to build and fast to run. */
const MAX_PLAIN_CHARS = 1 << 15;
let plain: LiteralScanner | undefined;
let fast: LiteralScanner | undefined;
let scannedChars = 0;

/** The text being scanned. Module variables, because the scanner is not re-entrant and closures per text are slow. */
let reading = "";
let spans: Span[] | undefined;
let prefixed: Span[] | undefined;
let namedUntil = 0;
let wordUntil = 0;

/** All secrets in the text, in order and disjoint, including those that invisible characters split. */
export function findSpans(text: string): readonly Span[] {
  return text.length < MIN_CHARS ? NONE : throughInvisible(text, scan);
}

function scan(text: string): readonly Span[] {
  reading = text;
  spans = undefined;
  prefixed = undefined;
  namedUntil = 0;
  wordUntil = 0;
  scannerFor(text)(text, visit, visitWord);
  reading = "";
  // Spans of specific rules come last, so they name the token.
  const found = prefixed === undefined ? spans : [...prefixed, ...(spans ?? NONE)];
  return found === undefined ? NONE : mergeSpans(found);
}

function scannerFor(text: string): LiteralScanner {
  scannedChars += text.length;
  if (scannedChars > MAX_PLAIN_CHARS) {
    fast ??= literalScanner(LITERALS);
    return fast;
  }
  plain ??= plainScanner(LITERALS);
  return plain;
}

function visit(index: number, start: number): number {
  const rule = rules[index]?.[1];
  if (rule === undefined) return 0;
  // Skips matches inside a found value, which would take quadratic time: it is redacted anyway. (A token inside it may
  // still give it a better name.)
  if (rule.named && start < namedUntil) return 0;
  const found = rule.at(reading, start);
  if (found === undefined) return 0;
  if (Array.isArray(found)) {
    if (found.length === 0) return 0;
    spans ??= [];
    spans.push(...found);
    for (const { end } of found) namedUntil = Math.max(namedUntil, end);
    return 0;
  }
  spans ??= [];
  spans.push(found, ...companionSpans(reading, found));
  return found.end;
}

function visitWord(inside: number): void {
  if (inside < wordUntil) return;
  const found = prefixedSpan(reading, inside);
  if (found === undefined) return;
  wordUntil = found.end;
  prefixed ??= [];
  prefixed.push(found);
}

function shaped(literal: string, at: Rule["at"]): [string, Rule] {
  return [literal, { named: false, at }];
}

function named(literal: string, at: Rule["at"]): [string, Rule] {
  return [literal, { named: true, at }];
}

/** The scan reads only the lower byte of each character, so the literal consists of those bytes. */
function foreign({ word, literal, id }: ForeignWord): [string, Rule] {
  const scanned = Buffer.from(literal, "latin1").toString("latin1");
  return named(scanned, (text, start) =>
    text.startsWith(literal, start) ? statedAfter(text, start + word.length, id) : [],
  );
}
