/**
 * Secrets that span lines: PEM and PGP private keys (whole, truncated, with escaped newlines inside JSON, after line
 * numbers or diff markers) and PuTTY keys.
 */
import type { Span } from "./span.ts";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const END_SOURCE = "-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const END = new RegExp(END_SOURCE);
const END_HERE = new RegExp(END_SOURCE, "y");
/** Text allowed between two lines of a key: real or escaped line ends, quotes, margins, line numbers. */
const GAP = /(?:\\{1,3}[nrt]|[\s"'`+>|#*→,\\]|-(?!----)|\d{1,6}(?=[→\t:|]):?){0,64}/y;
const MATERIAL = /[A-Za-z0-9+/]{16,16384}={0,2}/y;
/** The last, short line of a key, or the checksum of an armored one. */
const LAST = /=?[A-Za-z0-9+/]{1,64}={0,2}/y;
const ARMOR = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\r\n\\]{0,200}/y;
const MAX_KEY_CHARS = 65536;

/** The private key whose `-----BEGIN` is at `start`. */
export function privateKeySpan(text: string, start: number): Span | undefined {
  const body = step(BEGIN, text, start);
  return body === undefined ? undefined : keySpan(text, start, body);
}

/** The base64 lines after `Private-Lines: n`, whose `P` is at `at`. */
export function puttyKeySpan(text: string, at: number): Span | undefined {
  const label = /^Private-Lines: \d{1,4}/.exec(text.slice(at, at + 24));
  return label === null ? undefined : keySpan(text, at, at + label[0].length);
}

/** The key from `start`, its material from `body`; undefined if none follows (code that only mentions the header). */
function keySpan(text: string, start: number, body: number): Span | undefined {
  let end = body;
  let material = 0;
  while (end - body < MAX_KEY_CHARS) {
    const next = step(GAP, text, end) ?? end;
    const closed = step(END_HERE, text, next);
    if (closed !== undefined) return material === 0 ? undefined : { start, end: closed, id: "private-key" };
    const header = step(ARMOR, text, next);
    const line = header ?? step(MATERIAL, text, next);
    if (line === undefined) break;
    if (header === undefined) material++;
    end = line;
  }
  if (material === 0) return undefined;
  return { start, end: lastLine(text, end) ?? farEnd(text, end) ?? end, id: "private-key" };
}

/** A short last line counts only with the END line after it, or at the end of a truncated text. */
function lastLine(text: string, from: number): number | undefined {
  let end = from;
  for (let lines = 0; lines < 2; lines++) {
    const line = step(LAST, text, step(GAP, text, end) ?? end);
    if (line === undefined) return undefined;
    const next = step(GAP, text, line) ?? line;
    const closed = step(END_HERE, text, next);
    if (closed !== undefined) return closed;
    if (next === text.length) return line;
    end = line;
  }
  return undefined;
}

/** A key with an elided middle still ends at its END line, if that is near and no other key starts before it. */
function farEnd(text: string, from: number): number | undefined {
  const tail = text.slice(from, from + 8192);
  const end = END.exec(tail);
  if (end === null || tail.slice(0, end.index).includes("-----BEGIN")) return undefined;
  return from + end.index + end[0].length;
}

function step(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
