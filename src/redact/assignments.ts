/**
 * `key=value`, `"key": "value"`, `--key value`: secrets known only by the name they stand under. The name must
 * announce a secret (`names.ts`) and the value must look like one (`entropy.ts`); code, references and words stay.
 */
import { isPlaceholder, looksLikePassword, looksRandom } from "./entropy.ts";
import { authorizationSpans, cookieSpans, passwordWordSpans } from "./headers.ts";
import { isDummyPassword } from "./links.ts";
import { NAME_QUALIFIER, type SecretName, secretName, secretNameBefore } from "./names.ts";
import type { Span } from "./span.ts";

interface Value {
  start: number;
  end: number;
  quoted: boolean;
}

const SPACE = 32;
const TAB = 9;
const GREATER = 62;
const SHORTEST = 4;
const LONGEST = 4096;
const NAME_WINDOW = 96;
/** What may stand between a name and its `:` or `=`. */
const SIGN_AHEAD = /[?!]?["'`\]\\]{0,4}[ \t]{0,24}(?=[:=])/y;
/** From the sign on: a second sign (`:=`, `=>`, `==`), a type (`: string =`), spaces, a string prefix, the quote. */
const OPENING =
  /[:=]{1,3}>?[ \t]{0,24}(?:(?:&'?(?:static )?str|string|String|str|Optional\[str\]|char\[\])[ \t]{0,4}=[ \t]{0,4})?(?:[bBrRfFuU]{1,2}(?=["']))?(\\{0,3})(["'`]?)/y;
const FLAG_OPENING = /[ \t]{1,4}(\\{0,3})(["']?)/y;
const ELEMENT_OPENING = />()()/y;
const BARE = /[^\s"'`<>(){}[\]|\\,;&]{4,4096}/y;
/** A line of an environment file is a value to its end. */
const ENVIRONMENT_VALUE = /[^\s"'`\\]{4,4096}/y;
/** Header values hold spaces, and a scheme word comes first. */
const HEADER_VALUE = /[^\r\n"'`\\<>]{4,4096}/y;
const ENVIRONMENT_LINE = /(?:^|[\n\r]|\\n|export |env |set )[A-Z][A-Z0-9_]{1,64}$/;
const MEMBER = /^[*&!]{0,2}[A-Za-z_$][\w$]*(?:(?:\?|!)?(?:\.|::|->)[A-Za-z_$][\w$]*)+$/;
const CONNECTION =
  /(?:^|[\s;"'?&(,])(?:server|data source|host|hostname|addr|user id|uid|user|username|dbname|database|initial catalog)[ ]?=/i;
const SAS = /[?&;](?:sv|se|sp|sr|spr|st)=|amz-|goog-/i;
const FLAG_NAME = /--?[A-Za-z][A-Za-z0-9-]{1,40}$/;

/** The secrets announced by a name whose ending word stops at `ending`, whichever way their value follows. */
export function announcedSpans(text: string, ending: number): Span[] {
  NAME_QUALIFIER.lastIndex = ending;
  const end = NAME_QUALIFIER.test(text) ? NAME_QUALIFIER.lastIndex : ending;
  const next = text.charCodeAt(end);
  if (next === GREATER) return elementSpans(text, end);
  SIGN_AHEAD.lastIndex = end;
  if (SIGN_AHEAD.test(text)) return assignmentSpans(text, end, SIGN_AHEAD.lastIndex);
  return next === SPACE || next === TAB ? [...flagSpans(text, end), ...passwordWordSpans(text, end)] : [];
}

/** `name = value`, the name up to `end`, the sign at `at`. */
function assignmentSpans(text: string, end: number, at: number): Span[] {
  const name = secretNameBefore(text, end);
  if (name === undefined) return [];
  const environment = end === at && text.charAt(at) === "=";
  const head = environment ? text.slice(Math.max(0, end - NAME_WINDOW), end) : "";
  const value = valueFrom(text, at, OPENING, bareForm(name, ENVIRONMENT_LINE.test(head)));
  return value === undefined ? [] : judge(text, name, value);
}

/** `--db-password value`, the name's end at `end`. */
function flagSpans(text: string, end: number): Span[] {
  const flag = FLAG_NAME.exec(text.slice(Math.max(0, end - NAME_WINDOW), end));
  const name = flag === null ? undefined : secretName(flag[0]);
  if (name === undefined) return [];
  const value = valueFrom(text, end, FLAG_OPENING, BARE);
  if (value === undefined || text.startsWith("-", value.start)) return [];
  return judge(text, name, value);
}

/** The secret between `<password>` and `</password>`, from the `>` at `at`. */
function elementSpans(text: string, at: number): Span[] {
  const tag = /<([A-Za-z][\w.:-]{1,48})$/.exec(text.slice(Math.max(0, at - 50), at))?.[1];
  const name = tag === undefined ? undefined : secretName(tag);
  const value = name === undefined ? undefined : valueFrom(text, at, ELEMENT_OPENING, BARE);
  if (name === undefined || value === undefined || !text.startsWith("</", value.end)) return [];
  return judge(text, name, value);
}

/** Whether `value`, the whole of a JSON member or argument called `name`, is a secret; the spans inside it. */
export function memberSpans(name: string, value: string): Span[] {
  const announced = secretName(name);
  if (announced === undefined) return [];
  return judge(value, announced, { start: 0, end: value.length, quoted: true });
}

function judge(text: string, name: SecretName, value: Value): Span[] {
  const content = text.slice(value.start, value.end);
  const whole: Span[] = [{ start: value.start, end: value.end, id: name.id }];
  if (name.kind === "authorization") return authorizationSpans(text, value.start, value.end);
  if (name.kind === "cookie") return cookieSpans(text, value.start, value.end);
  if (name.kind === "signature") return SAS.test(around(text, value)) && looksSigned(content) ? whole : [];
  if (!value.quoted && isCode(content, text.slice(value.end, value.end + 1))) return [];
  if (
    (name.kind === "password" || name.kind === "connection") &&
    inConnection(text, value) &&
    !isDummyPassword(content, "")
  )
    return whole;
  if (name.kind === "connection") return [];
  if (name.kind === "password" && looksLikePassword(content)) return whole;
  return looksRandom(content, name.kind !== "token") ? whole : [];
}

/** An unquoted value that is called, indexed or a member of something (`raw.Token`, `*flags.key`), or passed on (`password=value,`). */
function isCode(content: string, next: string): boolean {
  if (/[([{]/.test(next)) return true;
  if (/[,)]/.test(next) && /^[A-Za-z_]+$/.test(content)) return true;
  return MEMBER.test(content) && !/[A-Za-z0-9]{20}/.test(content);
}

/** A signature in a web address is percent-coded base64 or hex. */
function looksSigned(content: string): boolean {
  return content.length >= 24 && /^[A-Za-z0-9%+/=_-]+$/.test(content) && !isPlaceholder(content);
}

/** A connection string names its server or user beside the password; there even a short password counts. */
function inConnection(text: string, value: Value): boolean {
  const content = text.slice(value.start, value.end);
  if (content.length < 4 || content.length > 256 || /\s/.test(content)) return false;
  return CONNECTION.test(around(text, value));
}

/** The same line around a value, as far as matters. */
function around(text: string, value: Value): string {
  const before = text.slice(Math.max(0, value.start - 400), value.start);
  const after = text.slice(value.end, value.end + 200);
  return `${before.slice(before.lastIndexOf("\n") + 1)}\0${after.split("\n", 1)[0]}`;
}

function valueFrom(text: string, at: number, opening: RegExp, bare: RegExp): Value | undefined {
  opening.lastIndex = at;
  const open = opening.exec(text);
  if (open === null) return undefined;
  const start = at + open[0].length;
  if (open[2]) return quotedValue(text, start, `${open[1] ?? ""}${open[2]}`);
  if (open[1]) return undefined;
  bare.lastIndex = start;
  const content = bare.exec(text)?.[0].replace(/[.,:;]+$/, "") ?? "";
  if (content.length < SHORTEST) return undefined;
  return { start, end: start + content.length, quoted: bare === ENVIRONMENT_VALUE };
}

/** How far an unquoted value reaches. */
function bareForm(name: SecretName, environment: boolean): RegExp {
  if (name.kind === "authorization" || name.kind === "cookie") return HEADER_VALUE;
  return environment ? ENVIRONMENT_VALUE : BARE;
}

/** Up to the same quote that opened it; up to the end where the text itself breaks off. */
function quotedValue(text: string, start: number, quote: string): Value | undefined {
  const content = text.slice(start, start + LONGEST);
  const close = content.indexOf(quote);
  if (close === -1 && start + LONGEST < text.length) return undefined;
  const inside = close === -1 ? content : content.slice(0, close);
  const line = inside.split("\n", 1)[0] ?? "";
  return { start, end: start + line.length, quoted: true };
}
