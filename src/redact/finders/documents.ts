/** Secrets in files of a known form: Kubernetes Secrets, `.pgpass`, JSON web keys. */
import { isDummyPassword } from "../judges/passwords.ts";
import type { Span } from "./span.ts";

const WINDOW = 16_384;
const SECRET_KIND = /kind\\?["']?\s{0,4}:\s{0,4}\\?["']?Secret\\?["']?\s{0,4}(?:$|[\r\n,}#]|\\n)/y;
/** The line that opens the block of values, and its margin. */
const BLOCK = /(?:^|\n|\\n)([ \t]*(?:[+>|-][ \t]?)?)(data|stringData):[ \t]*\r?(?=\n|\\n)/g;
const ENTRY = /(?:\n|\\n)([ \t]*(?:[+>|-][ \t]?)?[ \t]*)(["']?[\w.-]{1,253}["']?):[ \t]*([^\n\\]*)/y;
const BLOCK_SCALAR = /^[|>][+-]?\d?\s*$/;
const SCALAR_LINE = /(?:\n|\\n)([ \t]*)([^\n\\]+)/y;
const JSON_BLOCK = /\\?"(?:data|stringData)\\?"\s{0,8}:\s{0,8}\{([^{}]{1,8192})\}/g;
const JSON_ENTRY = /\\?"[\w.-]{1,253}\\?"\s{0,8}:\s{0,8}\\?"((?:[^"\\]|\\(?!"))*)/g;
const PGPASS = /([A-Za-z0-9_.*/-]{1,253}):(\d{2,5}|\*):([\w*.-]{1,128}):([\w*.@-]{1,128}):([^\s:"'`\\]{3,128})(?!:)/y;
const PGPASS_WINDOW = 260;
const LINE_START = /(?:[\s"'`]|\\n)[^\s"'`]{0,258}$/;
const JWK_MEMBER = /\\?"(?:d|k|p|q|dp|dq|qi)\\?"\s{0,8}:\s{0,8}\\?"([A-Za-z0-9_-]{20,1400})/g;
const JWK_WINDOW = 4096;

/** The values of the Kubernetes Secret whose `kind: Secret` is at `at`; the block of values may come before it. */
export function kubernetesSpans(text: string, at: number): Span[] {
  SECRET_KIND.lastIndex = at;
  if (!SECRET_KIND.test(text)) return [];
  const [from, to] = around(text, at, WINDOW, ["Secret", "\n---"], ["\n---"]);
  const document = text.slice(from, to);
  const spans: Span[] = [];
  for (const block of document.matchAll(BLOCK))
    spans.push(...blockSpans(document, block.index + block[0].length, (block[1] ?? "").length));
  for (const block of document.matchAll(JSON_BLOCK)) {
    const inside = block[1] ?? "";
    const start = block.index + block[0].length - inside.length - 1;
    for (const entry of inside.matchAll(JSON_ENTRY)) {
      const value = entry[1] ?? "";
      if (isKubernetesValue(value)) spans.push(spanOf(start + entry.index + entry[0].length - value.length, value));
    }
  }
  return spans.map((span) => ({ ...span, start: span.start + from, end: span.end + from }));
}

/** Whether a value of a Kubernetes Secret, in base64 or plain, is a secret rather than a template or an example. */
export function isKubernetesValue(value: string): boolean {
  if (value.length < 4 || isDummyPassword(value, "")) return false;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value) || value.length % 4 !== 0) return true;
  const decoded = Buffer.from(value, "base64").toString("latin1");
  return !(/^[\x20-\x7e]+$/.test(decoded) && isDummyPassword(decoded, ""));
}

function blockSpans(document: string, from: number, margin: number): Span[] {
  const spans: Span[] = [];
  for (let at = from; ; ) {
    ENTRY.lastIndex = at;
    const entry = ENTRY.exec(document);
    if (entry === null || (entry[1] ?? "").length <= margin) return spans;
    at += entry[0].length;
    const rest = (entry[3] ?? "").trimEnd();
    if (BLOCK_SCALAR.test(rest)) {
      at = scalarSpans(document, at, (entry[1] ?? "").length, spans);
      continue;
    }
    const value = rest.replace(/^["']|["']$|["']?[ \t]+#.*$/g, "");
    if (isKubernetesValue(value)) spans.push(spanOf(at - (entry[3] ?? "").length + rest.indexOf(value), value));
  }
}

/** The lines of a block scalar, deeper than `margin`; returns where they end. */
function scalarSpans(document: string, from: number, margin: number, spans: Span[]): number {
  for (let at = from; ; ) {
    SCALAR_LINE.lastIndex = at;
    const line = SCALAR_LINE.exec(document);
    if (line === null || (line[1] ?? "").length <= margin) return at;
    at += line[0].length;
    const value = (line[2] ?? "").trimEnd();
    if (isKubernetesValue(value)) spans.push(spanOf(at - (line[2] ?? "").length, value));
  }
}

/** The password of the `.pgpass` line (`host:port:database:user:password`) that has the mark at `at`. */
export function pgpassSpans(text: string, at: number): Span[] {
  const before = text.slice(Math.max(0, at - PGPASS_WINDOW), at);
  const opening = LINE_START.exec(before);
  const lead = opening === null ? before.length : before.length - opening.index - (opening[0].startsWith("\\") ? 2 : 1);
  PGPASS.lastIndex = at - lead;
  const line = PGPASS.exec(text);
  const password = line?.[5] ?? "";
  if (line === null || isDummyPassword(password, line[4] ?? "") || /^\d+$/.test(password)) return [];
  return [{ ...spanOf(line.index + line[0].length - password.length, password), id: "password" }];
}

/** The private members of a JSON web key whose `"kty"` is at `at`. */
export function webKeySpans(text: string, at: number): Span[] {
  const [from, to] = around(text, at, JWK_WINDOW, ["kty", "{"], ["kty", "}"]);
  return Array.from(text.slice(from, to).matchAll(JWK_MEMBER), (member) => {
    const value = member[1] ?? "";
    return { ...spanOf(from + member.index + member[0].length - value.length, value), id: "private-key" };
  });
}

/**
 * The part of the text around `at` that belongs to one document: at most `size` characters on either side, up to the
 * nearest mark. The mark that is searched for comes first: if it repeats, the others are only searched up to it.
 */
function around(text: string, at: number, size: number, starts: string[], ends: string[]): [from: number, to: number] {
  let before = text.slice(Math.max(0, at - size), at);
  for (const mark of starts) before = before.slice(Math.max(0, before.lastIndexOf(mark)));
  let after = text.slice(at + 8, at + size);
  for (const mark of ends) after = after.includes(mark) ? after.slice(0, after.indexOf(mark)) : after;
  return [at - before.length, at + 8 + after.length];
}

function spanOf(start: number, value: string): Span {
  return { start, end: start + value.length, id: "kubernetes-secret" };
}
