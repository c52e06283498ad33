/**
 * One reading of a text for all rules: what the rules are known by (prefixes, names, marks) becomes one list of
 * literals, and a rule runs only where its literal stands. Every byte that is synced passes here; measure changes with
 * `bench/redaction.ts`.
 */
import { announcedSpans } from "./assignments.ts";
import { privateBlockSpan, privateKeySpan, puttyKeySpan } from "./blocks.ts";
import { curlUserSpans, schemeSpans } from "./headers.ts";
import { linkSpans } from "./links.ts";
import { literalScanner } from "./literals.ts";
import { NAME_LITERALS } from "./names.ts";
import { mergeSpans, type Span } from "./span.ts";
import { companionSpans, TOKEN_ANCHORS, tokenSpan } from "./tokens.ts";

type Look = (text: string, start: number, literal: string) => Span | Span[] | undefined;

/** Nothing shorter can hold a secret that any rule knows: `a://b:cd@e`. */
const SHORTEST = 10;
const PRIVATE = "<private>";

const looks: [literal: string, look: Look][] = [
  ...TOKEN_ANCHORS.map((anchor): [string, Look] => [anchor, (text, start) => tokenSpan(text, anchor, start)]),
  ...NAME_LITERALS.map((name): [string, Look] => [name, (text, start) => announcedSpans(text, start + name.length)]),
  ...["Bearer ", "bearer ", "Basic ", "basic "].map((scheme): [string, Look] => [scheme, schemeSpans]),
  ...["://", ":\\/\\/"].map((mark): [string, Look] => [mark, linkSpans]),
  ...[" -u ", " --user "].map((option): [string, Look] => [option, curlUserSpans]),
  ["-----BEGIN ", privateKeySpan],
  ["Private-Lines: ", puttyKeySpan],
  [PRIVATE, privateBlockSpan],
];
const scan = literalScanner(looks.map(([literal]) => literal));

/** All secrets in the text, in order, none overlapping another. */
export function findSpans(text: string): Span[] {
  if (text.length < SHORTEST) return [];
  const spans: Span[] = [];
  let unclosed = false;
  scan(text, (index, start) => {
    const [literal, look] = looks[index] ?? [];
    if (literal === undefined || look === undefined) return 0;
    if (literal === PRIVATE && unclosed) return 0;
    const found = look(text, start, literal);
    if (found === undefined) {
      // Nothing closes this one, so nothing closes a later one: looking again would make the time quadratic.
      if (literal === PRIVATE) unclosed = true;
      return 0;
    }
    if (Array.isArray(found)) {
      spans.push(...found);
      return 0;
    }
    spans.push(found, ...companionSpans(text, found));
    return found.end;
  });
  return spans.length < 2 ? spans : mergeSpans(spans);
}
