/** Passwords in words: the line of a .netrc, or a sentence that states one ("the password for the router is x"). */
import { looksRandom } from "../judges/entropy.ts";
import { isDummyPassword, looksLikePassword } from "../judges/passwords.ts";
import { STATED_AFTER } from "../tables/other_languages.ts";
import type { Span } from "./span.ts";

/** After the word: whom it is for, a verb, and the value. */
const TOLD =
  /(?:\s|\\n){1,8}(?:(?:for|of|on)[ \t](?:[\w.@:/-]{1,48}[ \t]){1,4}?(?=(?:is|was|to)[ :]))?(?:(?:is|was|to|as|now|ist|lautet|est|é|è)[ :]{1,3}(?:now |set to |still )?)?(?:["'`]|\\")?([^\s"'`\\]{1,256})/y;
/** "my token is x": for other secrets only this form counts. */
const IS = /[ \t]{1,4}(?:is|was|ist|lautet|est)[ :]{1,3}["'`]?([^\s"'`\\<>(){}[\],;]{12,512})/y;
const NETRC =
  /(?:^|\s|\\n|["'])(?:machine(?:\s|\\n){1,8}\S{1,253}?|default(?=(?:\s|\\n){1,8}login))(?:\s|\\n){1,8}(?:login(?:\s|\\n){1,8}\S{1,200}?(?:\s|\\n){1,8})?(?:account\s{1,8}\S{1,128}\s{1,8})?password$/;
const NETRC_WINDOW = 500;
const PASSWORD_WORD = /(?:password|passwd|passwort|kennwort|wachtwoord|senha|mot de passe|passphrase|passcode|pwd)$/i;
/** `CREATE ROLE x PASSWORD 'y'`. */
const SQL = /(?:create|alter)\s{1,4}(?:role|user|login)\s[^;\n]{0,120}password$/i;

/** The password that the word ending at `end` announces. */
export function statedPasswordSpans(text: string, end: number): Span[] {
  if (!PASSWORD_WORD.test(text.slice(Math.max(0, end - 14), end))) return [];
  const before = text.slice(Math.max(0, end - NETRC_WINDOW), end);
  TOLD.lastIndex = end;
  const found = TOLD.exec(text);
  if (found === null) return [];
  const value = (found[1] ?? "").replace(/[.,;:?)]+$/, "");
  const start = end + found[0].length - (found[1] ?? "").length;
  const span = { start, end: start + value.length, id: "password" };
  if (NETRC.test(before)) return isDummyPassword(value, "") ? [] : [{ ...span, id: "netrc-password" }];
  if (SQL.test(before.slice(-160)) && /^[ \t]+\\?'/.test(text.slice(end, end + 8)))
    return value.length >= 4 && !isDummyPassword(value, "") ? [span] : [];
  return looksLikePassword(value, true) || looksRandom(value, true) ? [span] : [];
}

/** The value that a sentence states for a secret name that ends at `end`; undefined if none. */
export function statedValue(text: string, end: number): { start: number; end: number } | undefined {
  IS.lastIndex = end;
  const found = IS.exec(text);
  if (found === null) return undefined;
  const value = (found[1] ?? "").replace(/[.,;:?!)]+$/, "");
  const start = end + found[0].length - (found[1] ?? "").length;
  return { start, end: start + value.length };
}

const MIN_KEY_CHARS = 12;

/** The value that follows a word of another language that ends at `end`: `пароль: x`, `パスワードは x です`. */
export function statedAfter(text: string, end: number, id: "password" | "secret"): Span[] {
  STATED_AFTER.lastIndex = end;
  const found = STATED_AFTER.exec(text);
  if (found === null) return [];
  const [whole, sign, given = ""] = found;
  const value = given.replace(/[.,:;?!]+$/, "");
  const start = end + whole.length - given.length;
  const tight = sign !== undefined && !/\s/.test(sign);
  const isSecret =
    id === "secret"
      ? value.length >= MIN_KEY_CHARS && looksRandom(value, false)
      : looksLikePassword(value, !tight) || looksRandom(value, true);
  return isSecret ? [{ start, end: start + value.length, id }] : [];
}
