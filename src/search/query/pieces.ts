/** Cuts a query into its filters, quoted phrases, excluded words and plain words, each as typed. */
import { ROLES, type Role } from "../../conversations/model.ts";
import { patternFor } from "../../text/patterns.ts";

export interface QueryFields {
  project?: string;
  source?: string;
  file?: string;
  from?: string;
  to?: string;
  role?: Role;
  tool?: string;
}

export interface Pieces {
  /** Filters. */
  fields: QueryFields;
  /** A message must contain them. */
  phrases: string[];
  plain: string[];
  excluded: string[];
  /** The text around each excluded word, as typed: if it occurs anywhere, the minus belongs to a flag (`rm -rf`). */
  minuses: string[];
}

/** Whether `-word` excludes messages with the word, or is searched for literally, like `-rf`. */
export type Minus = "excludes" | "stands";

const MAX_PIECES = 1000;
const WORD = patternFor(String.raw`[\p{L}\p{N}]+`, "g");
const WORD_START = patternFor(String.raw`^[\p{L}_]`);
/** A field with its value, a quoted phrase, or a run without spaces; each may be excluded. */
const PIECE = patternFor(
  String.raw`(-?)(?:(project|source|role|tool|file|before|after|from|to):(?:"([^"]{1,500})"|(\S{1,500}))|"([^"]{1,1000})"|(\S+))`,
  "gi",
);

export function piecesOf(text: string, sense: Minus): Pieces {
  const pieces: Pieces = { fields: {}, phrases: [], plain: [], excluded: [], minuses: [] };
  let before = "";
  for (const match of text.matchAll(PIECE(text)).take(MAX_PIECES)) {
    if (takeField(pieces.fields, match)) continue;
    const [whole, minus, field, , , phrase, word = ""] = match;
    const content = phrase ?? (field === undefined ? word : whole.slice(minus?.length ?? 0));
    if (minus === "-" && sense === "excludes" && isExcluded(content, phrase !== undefined)) {
      pieces.excluded.push(content);
      if (phrase === undefined)
        pieces.minuses.push(before === "" ? withNextPiece(text, match.index) : `${before} ${whole}`);
    } else if (phrase !== undefined && wordsIn(phrase).length > 0) pieces.phrases.push(phrase);
    else pieces.plain.push(minus === "-" && phrase === undefined ? whole : content);
    if (phrase !== undefined) before = "";
    else before = wordsIn(whole).length > 0 || before === "" ? whole : `${before} ${whole}`;
  }
  return pieces;
}

function takeField(fields: QueryFields, [, minus, field, quoted, bare]: RegExpExecArray): boolean {
  const value = quoted ?? bare;
  return field !== undefined && value !== undefined && minus === "" && setField(fields, field.toLowerCase(), value);
}

function setField(fields: QueryFields, name: string, value: string): boolean {
  if (name === "role") {
    const role = ROLES.find((each) => each === value.toLowerCase());
    if (role) fields.role = role;
    return role !== undefined;
  }
  if (name === "after" || name === "from") fields.from = value;
  else if (name === "before" || name === "to") fields.to = value;
  else if (name === "project" || name === "source" || name === "file" || name === "tool") fields[name] = value;
  return true;
}

/** A minus excludes only before a word: `-5`, `-m` and `--flag` are searched for. */
function isExcluded(content: string, isPhrase: boolean): boolean {
  return (isPhrase || content.length > 1) && WORD_START(content).test(content);
}

/** An excluded word together with the piece after it. */
function withNextPiece(text: string, at: number): string {
  return text.slice(at).split(/\s+/, 2).join(" ");
}

export function wordsIn(text: string): readonly string[] {
  return text.match(WORD(text)) ?? [];
}
