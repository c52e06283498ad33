/** Describes schema violations in plain words, because the validator's own messages name types instead of the mistake. */
import type * as z from "zod";
import { formatCount } from "../text.ts";

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  set: "a list",
  object: "an object",
  record: "an object",
  map: "an object",
  date: "a date",
  null: "null",
};

/** The beginnings of the validator's own messages. Others were written for dex's schemas and are kept. */
const VALIDATORS_OWN = /^(invalid|too (big|small)|unrecognized|expected)\b/i;
/** The validator also gives a schema's message for a wrong type if the size is wrong, where it would be false. */
const OF_THE_TYPE = "must be a whole number";
const MAX_CHOICES_NAMED = 30;

/** The end of a sentence that begins with the field's name: "must be at most 1,000". Without a full stop. */
export function issueText(issue: Issue | undefined): string {
  if (!issue) return "is not valid";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeName(issue.expected)}`;
    case "too_big":
      return tooBig(issue);
    case "too_small":
      return written(issue) ?? tooSmall(issue);
    case "invalid_value":
      return choices(issue.values);
    case "not_multiple_of":
      return issue.divisor === 1 ? "must be a whole number" : `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has an unknown field ${quoted(issue.keys[0] ?? "")}`;
    case "invalid_union":
      return anyOf(issue.errors);
    case "invalid_key":
    case "invalid_element":
      return written(issue) ?? "has an entry that is not valid";
    case "invalid_format":
      return written(issue) ?? `is not ${FORMATS[issue.format] ?? "in the form it needs"}`;
    default:
      return written(issue) ?? "is not valid";
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  url: "an address (https://…)",
  email: "an e-mail address",
  datetime: "a time (2026-01-31T10:00:00Z)",
  date: "a date (2026-01-31)",
  uuid: "a UUID",
};

function typeName(expected: string): string {
  return TYPES[expected] ?? "of another type";
}

function written({ message }: Issue): string | undefined {
  if (message === "" || message === OF_THE_TYPE || VALIDATORS_OWN.test(message)) return undefined;
  return message.replace(/\.$/, "");
}

type Limit = number | bigint;

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): string {
  if (origin === "string") return `must have at most ${count(maximum)} ${maximum === 1 ? "character" : "characters"}`;
  if (isList(origin)) return `must have at most ${count(maximum)} ${maximum === 1 ? "entry" : "entries"}`;
  return inclusive === false ? `must be less than ${count(maximum)}` : `must be at most ${count(maximum)}`;
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (isList(origin) || origin === "string") {
    if (minimum <= 1) return "must not be empty";
    return `must have at least ${count(minimum)} ${origin === "string" ? "characters" : "entries"}`;
  }
  if (inclusive === false) return `must be more than ${count(minimum)}`;
  return Number(minimum) === 0 ? "must not be negative" : `must be at least ${count(minimum)}`;
}

function isList(origin: string): boolean {
  return origin === "array" || origin === "set" || origin === "map";
}

/** With commas between the thousands; fractions as they are. */
function count(limit: Limit): string {
  return Number.isSafeInteger(Number(limit)) ? formatCount(Number(limit)) : String(limit);
}

function choices(values: readonly unknown[]): string {
  const named = values.slice(0, MAX_CHOICES_NAMED).map(String);
  const more = values.length > named.length ? ", …" : "";
  return named.length === 1 ? `must be ${named[0]}` : `must be one of ${named.join(", ")}${more}`;
}

/** For a field that takes several forms: each way to correct it, once. */
function anyOf(branches: readonly (readonly Issue[])[]): string {
  const ways = branches.flatMap((issues) => (issues[0] ? [issueText(issues[0])] : []));
  return ways.length === 0 ? "is not valid" : [...new Set(ways)].join(", or ");
}

function quoted(text: string): string {
  return `"${text.slice(0, 60)}"`;
}
