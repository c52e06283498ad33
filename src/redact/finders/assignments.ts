/**
 * `key=value`, `"key": "value"`, `--key value`: secrets recognised only by their name. The name must announce a
 * secret (`judges/names.ts`) and the value must look like one (`judges/entropy.ts`); code, references and words stay.
 */
import { isPlaceholder, looksRandom } from "../judges/entropy.ts";
import {
  NAME_QUALIFIER,
  NAME_QUALIFIER_HEADS,
  nameStart,
  type SecretName,
  secretName,
  secretNameBefore,
} from "../judges/names.ts";
import { isDummyPassword, isMadeOfDummyWords, looksLikePassword } from "../judges/passwords.ts";
import { authorizationSpans, cookieSpans, isBasicCredential } from "./headers.ts";
import { statedPasswordSpans, statedValue } from "./sentences.ts";
import type { Span } from "./span.ts";

interface Value {
  start: number;
  end: number;
  /**
   * `quoted`: between quotes; `line`: the value of an environment variable, to the end of its line; `tight`: right after
   * the sign, as an option or in a web address; `loose`: unquoted and separated from its name, as in code and prose.
   */
  form: "quoted" | "line" | "tight" | "loose";
}

const SPACE = 32;
const TAB = 9;
const DASH = 45;
const DOT = 46;
const UNDERSCORE = 95;
/** Rule names count as names of secrets too. */
const MARKER = /\[REDACTED:[\w-]{0,40}$/;
const MARKER_WINDOW = 52;
const MIN_VALUE_CHARS = 4;
const MAX_VALUE_CHARS = 4096;
const NAME_WINDOW = 96;
/** Text allowed between a name and its `:` or `=`, the first half of `??=`, `||=`, `?=`, `+=` and `.=` and a type (`var x string =`) included. */
const SIGN_AHEAD =
  /[?!]?["'`\]\\]{0,4}[ \t]{0,24}(?:(?:string|\[\]byte|str)[ \t]{1,4})?(?:\?\?|\|\||[?+.])?(?=[:=：＝])/y;
/** After the name: a second sign (`:=`, `=>`, `==`), a type (`: string =`), spaces, a string prefix, the quote. */
const OPENING =
  /[:=：＝]{1,3}>?[ \t]{0,24}(?:(?:&'?(?:static )?str|string|String|str|Optional\[str\]|char\[\])[ \t]{0,4}=[ \t]{0,4})?(?:[bBrRfFuU]{1,2}(?=["']))?(\\{0,3})(["'`]?)/y;
/** `define('NAME', 'value')`, `put("name", "value")`: the quoted name, a comma, the quoted value. */
const COMMA_OPENING = /\\{0,3}["'][ \t]{0,4},[ \t]{0,8}(\\{0,3})(["'])/y;
/** `name: X, value: Y` and `key="X" value="Y"`, on one line or two. */
const PAIR_AHEAD = /["'`\\]{0,4}[,;]?(?:\s|\\n){0,40}["'\\]{0,4}[vV]alue["'\\]{0,4}[ \t]{0,4}(?=[:=])/y;
const FLAG_OPENING = /[ \t]{1,4}(\\{0,3})(["']?)/y;
const ELEMENT_OPENING = />(?:<!\[CDATA\[|\s{0,64})()()/y;
const ELEMENT_END = /^(?:\]\]>)?\s{0,64}<\//;
/** Enough characters to judge a value. */
const JUDGED = 128;
/** `&` and `|` belong to a value unless another parameter or command follows. */
const BARE = /(?:[^\s"'`<>(){}[\]|\\,;&，。、；）」』”]|&(?![&\s]|[\w.-]{1,64}=|amp;)|\|(?=[\w-]{20})){4,128}/y;
const BARE_REST = /(?:[^\s"'`<>(){}[\]|\\,;&，。、；）」』”]|&(?![&\s]|[\w.-]{1,64}=|amp;)|\|(?=[\w-]{20})){1,65536}/y;
/** In an environment file the value extends to the end of the line. */
const ENVIRONMENT_VALUE = /[^\s"'`\\]{4,128}/y;
/** Header values contain spaces and start with a scheme. The next header of the kind is examined on its own. */
const HEADER_VALUE =
  /(?:(?![cC]ookies?[:=]|[aA]uthorization[:=]|COOKIES?[:=]|AUTHORIZATION[:=])[^\r\n"'`\\<>]){4,4096}/y;
const ENVIRONMENT_LINE = /(?:^|[\n\r`]|\\n|export |env |set |ENV |ARG |-e |Environment=|\$env:)[A-Z][A-Z0-9_]{1,64}$/;
const YAML_HEAD = /(?:^|\n|\\n)[ \t]*(?:- )?[\w.-]{1,64}$/;
const LINE_END = /^[ \t]{0,16}(?:$|[\r\n]|\\n|#)/;
/** `"password=" + value`: the quote that seems to open a value ended the text before it. */
const CONCATENATION = /^\+[A-Za-z_$][A-Za-z_$.]*(?:$|[);,"'\\])/;
/** Twelve to twenty-four words: the recovery phrase of a wallet. */
const PHRASE = /^(?:[a-z]{3,8}[ ,]+){11,23}[a-z]{3,8}$/;
const MEMBER = /^[*&!]{0,2}[A-Za-z_$][\w$]*(?:(?:\?|!)?(?:\.|::|->)[A-Za-z_$][\w$]*)+$/;
const CONNECTION =
  /(?:^|[\s;"'?&(,])(?:server|data source|host|hostname|addr|user id|uid|user|username|dbname|database|initial catalog)[ ]?=/i;
const SIGNED = /[?&;](?:sv|se|sp|sr|spr|st|expires|key-pair-id|googleaccessid|x-expires)=|amz-|goog-/i;

/** The secrets announced by a name whose last word ends at `ending`, in every form in which a value can follow. */
export function announcedSpans(text: string, ending: number): Span[] {
  const end = qualifiedEnd(text, ending);
  // Most names have no value after them; the next character shows that.
  switch (text.charAt(end)) {
    case ">":
      return elementSpans(text, end);
    case ":":
    case "=":
    case "：":
    case "＝":
      return assignmentSpans(text, end, end);
    case "]":
      if (MARKER.test(text.slice(Math.max(0, end - MARKER_WINDOW), end))) return [];
      break;
    case " ":
    case "\t":
    case '"':
    case "'":
    case "`":
    case "\\":
    case "?":
    case "!":
    case "|":
    case "+":
    case ".":
    case ",":
    case "\n":
      break;
    default:
      return [];
  }
  SIGN_AHEAD.lastIndex = end;
  if (SIGN_AHEAD.test(text)) return assignmentSpans(text, end, SIGN_AHEAD.lastIndex);
  const next = text.charCodeAt(end);
  return next === SPACE || next === TAB ? spokenSpans(text, end) : pairedSpans(text, end);
}

/** The end of the name whose last word ends at `ending`: a qualifier (`_PROD`, `2`) may follow. */
function qualifiedEnd(text: string, ending: number): number {
  const next = text.charCodeAt(ending);
  const separated = next === DASH || next === UNDERSCORE;
  const first = (separated ? text.charCodeAt(ending + 1) : next) | 32;
  if (!NAME_QUALIFIER_HEADS.has(first)) return ending;
  NAME_QUALIFIER.lastIndex = ending;
  return NAME_QUALIFIER.test(text) ? NAME_QUALIFIER.lastIndex : ending;
}

/** A name and its value with a space between them: `--token x`, "the password is x", "my token is x". */
function spokenSpans(text: string, end: number): Span[] {
  const flag = flagSpans(text, end);
  if (flag.length > 0) return flag;
  const told = statedPasswordSpans(text, end);
  return told.length > 0 ? told : toldSpans(text, end);
}

/** "my token is x", the name's end at `end`. */
function toldSpans(text: string, end: number): Span[] {
  const told = statedValue(text, end);
  const name = told === undefined ? undefined : secretNameBefore(text, end);
  if (told === undefined || name === undefined || (name.kind !== "secret" && name.kind !== "token")) return [];
  return judge(text, name, { ...told, form: "loose" });
}

/** A name and its value as two strings or two members: `define('NAME', 'value')`, `name: X` and `value: Y`. */
function pairedSpans(text: string, end: number): Span[] {
  if (text.charCodeAt(end) === DOT) return [];
  COMMA_OPENING.lastIndex = end;
  PAIR_AHEAD.lastIndex = end;
  const sign = PAIR_AHEAD.test(text) ? PAIR_AHEAD.lastIndex : undefined;
  if (sign === undefined && !COMMA_OPENING.test(text)) return [];
  const name = secretNameBefore(text, end);
  if (name === undefined) return [];
  const value = sign === undefined ? valueFrom(text, end, COMMA_OPENING, BARE) : valueFrom(text, sign, OPENING, BARE);
  return value === undefined ? [] : judge(text, name, value);
}

/** `name = value`, the name up to `end`, the sign at `at`. */
function assignmentSpans(text: string, end: number, at: number): Span[] {
  const name = secretNameBefore(text, end);
  if (name === undefined) return [];
  const environment = end === at && text.charAt(at) === "=";
  const head = environment ? text.slice(Math.max(0, end - NAME_WINDOW), end) : "";
  const line = ENVIRONMENT_LINE.test(head);
  const value = valueFrom(text, at, OPENING, bareForm(name, line));
  if (value === undefined) return [];
  if (value.form === "loose" && line) value.form = "line";
  else if (value.form === "loose" && ((environment && value.start === end + 1) || isYaml(text, end, value)))
    value.form = "tight";
  return judge(text, name, value);
}

/** A line that consists of `name: value`. */
function isYaml(text: string, end: number, value: Value): boolean {
  if (text.charAt(end) !== ":" || !LINE_END.test(text.slice(value.end, value.end + 24))) return false;
  return YAML_HEAD.test(text.slice(Math.max(0, end - NAME_WINDOW), end));
}

/** `--db-password value`, the name's end at `end`. */
function flagSpans(text: string, end: number): Span[] {
  const start = nameStart(text, end);
  const name = text.charCodeAt(start) === DASH ? secretName(text.slice(start, end)) : undefined;
  if (name === undefined) return [];
  const value = valueFrom(text, end, FLAG_OPENING, BARE);
  if (value === undefined || text.startsWith("-", value.start)) return [];
  if (value.form === "loose") value.form = "tight";
  return judge(text, name, value);
}

/** The secret between `<password>` and `</password>`, from the `>` at `at`. */
function elementSpans(text: string, at: number): Span[] {
  const tag = /<([A-Za-z][\w.:-]{1,48})$/.exec(text.slice(Math.max(0, at - 50), at))?.[1];
  const name = tag === undefined ? undefined : secretName(tag);
  const value = name === undefined ? undefined : valueFrom(text, at, ELEMENT_OPENING, BARE);
  if (name === undefined || value === undefined || !ELEMENT_END.test(text.slice(value.end, value.end + 68))) return [];
  return judge(text, name, { ...value, form: "quoted" });
}

/** Whether `value`, the whole of a JSON member or argument called `name`, is a secret; the spans inside it. */
export function memberSpans(name: string, value: string): Span[] {
  const announced = secretName(name);
  if (announced === undefined) return [];
  return judge(value, announced, { start: 0, end: value.length, form: "quoted" });
}

function judge(text: string, name: SecretName, value: Value): Span[] {
  if (name.kind === "authorization") return authorizationSpans(text, value.start, value.end);
  if (name.kind === "cookie") return cookieSpans(text, value.start, value.end);
  return isSecretValue(text, name.kind, value) ? [{ start: value.start, end: wholeEnd(text, value), id: name.id }] : [];
}

function isSecretValue(text: string, kind: SecretName["kind"], value: Value): boolean {
  if (kind === "phrase") return PHRASE.test(text.slice(value.start, Math.min(value.end, value.start + 256)));
  const content = withoutPercentCodes(text.slice(value.start, Math.min(value.end, value.start + JUDGED)));
  if (/\s/.test(content)) return false;
  if (kind === "signature") return looksSigned(content) && SIGNED.test(around(text, value)) && !isPlaceholder(content);
  if (kind === "pair") return /^[0-9a-f]{8}:[0-9a-f]{8}$/i.test(content);
  if (value.form !== "quoted" && isCode(content, text.charAt(value.end))) return false;
  if (value.form === "quoted" && CONCATENATION.test(content)) return false;
  if (kind === "identifier") return looksRandom(content, true) || /^\d{16,19}$/.test(content);
  if (kind === "password" || kind === "connection") {
    // A connection string also names its server or user; there even a short password counts.
    if (!isDummyPassword(content, "") && CONNECTION.test(around(text, value))) return content.length >= MIN_VALUE_CHARS;
  }
  if (kind === "connection") return false;
  if (kind === "password" && isPassword(content, value.form)) return true;
  if (kind === "token" && isBasicCredential(content) && value.form === "quoted") return content.length >= 16;
  return looksRandom(content, kind !== "token");
}

function isPassword(content: string, form: Value["form"]): boolean {
  if (looksLikePassword(content, form === "loose")) return true;
  // Values in an environment file are real, so letters with a digit are enough.
  if (form !== "line" || content.length < 6 || isDummyPassword(content, "") || isMadeOfDummyWords(content))
    return false;
  return /[A-Za-z]/.test(content) && /[0-9!@#$%^&*]/.test(content) && !isPlaceholder(content) && !/[/\\]/.test(content);
}

/** Base64 in a web address, as it was. */
function withoutPercentCodes(content: string): string {
  if (!content.includes("%")) return content;
  return content.replace(/%2B/gi, "+").replace(/%2F/gi, "/").replace(/%3D/gi, "=");
}

/** A bare value is read only as far as needed to judge it; if redacted, it is redacted to its end. */
function wholeEnd(text: string, value: Value): number {
  if (value.form === "quoted" || value.end - value.start < JUDGED) return value.end;
  BARE_REST.lastIndex = value.end;
  return BARE_REST.test(text) ? BARE_REST.lastIndex : value.end;
}

/** An unquoted value that is called, indexed or a member of something (`raw.Token`, `*flags.key`), or passed on (`password=value,`). */
function isCode(content: string, next: string): boolean {
  if (/[([{]/.test(next)) return true;
  if (/[,)]/.test(next) && /^[A-Za-z_]+$/.test(content)) return true;
  return MEMBER.test(content) && !/[A-Za-z0-9]{20}/.test(content);
}

/** A signature in a web address is percent-coded base64 or hex. */
function looksSigned(content: string): boolean {
  return content.length >= 24 && /^[A-Za-z0-9%+/=_-]+$/.test(content);
}

/** The relevant part of the line around a value. */
function around(text: string, value: Value): string {
  const before = text.slice(Math.max(0, value.start - 240), value.start);
  const after = text.slice(value.end, value.end + 120);
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
  if (content.length < MIN_VALUE_CHARS) return undefined;
  return { start, end: start + content.length, form: "loose" };
}

/** The end of an unquoted value. */
function bareForm(name: SecretName, environment: boolean): RegExp {
  if (name.kind === "authorization" || name.kind === "cookie") return HEADER_VALUE;
  return environment ? ENVIRONMENT_VALUE : BARE;
}

/** Up to the closing quote, or to the end of a truncated text. */
function quotedValue(text: string, start: number, quote: string): Value | undefined {
  const content = text.slice(start, start + MAX_VALUE_CHARS);
  const close = content.indexOf(quote);
  if (close === -1 && start + MAX_VALUE_CHARS < text.length) return undefined;
  const inside = close === -1 ? content : content.slice(0, close);
  const line = inside.split("\n", 1)[0] ?? "";
  return { start, end: start + line.length, form: "quoted" };
}
