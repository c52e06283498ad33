/**
 * One reading of a text for all rules. The scanning expression stops only at characters where a secret may be known
 * (a pivot: the `=` after a name like `token`, the `_` of `ghp_`, a `://`); the rules run only there. Every byte that
 * is synced passes here: a new alternative must be measured with `bench/redaction.ts`.
 */
import { assignmentSpans, elementSpans, flagSpans } from "./assignments.ts";
import { privateBlockSpan, privateKeySpan, puttyKeySpan } from "./blocks.ts";
import { curlUserSpans, passwordWordSpans, schemeSpans } from "./headers.ts";
import { linkSpans } from "./links.ts";
import { NAME_BEFORE, NAME_ENDING } from "./names.ts";
import type { Span } from "./span.ts";
import { companionSpans, tokenAt, tokenPivots } from "./tokens.ts";

/** Nothing shorter can hold a secret that any rule knows: `a://b:cd@e`. */
const SHORTEST = 10;

/** Where the scan stops. Each alternative consumes the one pivot character and only looks at the rest. */
const PIVOT = new RegExp(
  tokenPivots(
    new Map([
      [":", ["(?=\\\\?/\\\\?/)", `(?<=${NAME_BEFORE}:)`]],
      ["=", [`(?<=${NAME_BEFORE}=)`]],
      ["-", [`(?=(?:${NAME_ENDING})[ \\t])`, "(?=(?:u|-user)[ =][\"']?[^\\s:\"']{1,64}:)"]],
      ["<", ["(?=private>)"]],
      [">", [`(?<=(?:${NAME_ENDING})>)`]],
      ["B", ["(?=earer |asic |EARER )", "(?<=-----B)(?=EGIN [A-Z0-9 ]{0,40}PRIVATE KEY)"]],
      ["P", ["(?=rivate-Lines: )"]],
      ["w", ["(?<=[^A-Za-z_.-][pP]assw)(?=ord(?:\\s|\\\\n))"]],
    ]),
  ),
  "g",
);

export function findSpans(text: string): Span[] {
  const spans: Span[] = [];
  if (text.length < SHORTEST) return spans;
  let namedUntil = 0;
  let privateAhead = true;
  PIVOT.lastIndex = 0;
  while (PIVOT.test(text)) {
    const resume = PIVOT.lastIndex;
    const at = resume - 1;
    const pivot = text.charAt(at);
    const found = tokenAt(text, at) ?? blockAt(text, at, pivot, privateAhead);
    if (found !== undefined) {
      spans.push(found, ...companionSpans(text, found));
      PIVOT.lastIndex = Math.max(found.end, resume);
      continue;
    }
    if (pivot === "<") privateAhead = false;
    // Inside a value already taken by its name, only a token of its own can still tell more.
    if (at < namedUntil) continue;
    for (const span of namedAt(text, at, pivot)) {
      spans.push(span);
      namedUntil = Math.max(namedUntil, span.end);
    }
  }
  return spans;
}

function blockAt(text: string, at: number, pivot: string, privateAhead: boolean): Span | undefined {
  if (pivot === "B") return privateKeySpan(text, at);
  if (pivot === "P") return puttyKeySpan(text, at);
  return pivot === "<" && privateAhead ? privateBlockSpan(text, at) : undefined;
}

function namedAt(text: string, at: number, pivot: string): Span[] {
  if (pivot === ":" && /^\\?\//.test(text.slice(at + 1, at + 3))) return linkSpans(text, at);
  if (pivot === ":" || pivot === "=") return assignmentSpans(text, at);
  if (pivot === "B") return schemeSpans(text, at);
  if (pivot === ">") return elementSpans(text, at);
  if (pivot === "w") return passwordWordSpans(text, at);
  return pivot === "-" ? [...flagSpans(text, at), ...curlUserSpans(text, at)] : [];
}
