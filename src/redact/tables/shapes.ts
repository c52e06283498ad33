/** Building blocks of token patterns, and the type of a rule. */

/** Letters and digits. */
export const A = "[A-Za-z0-9]";
/** Base64 for web addresses. */
export const W = "[A-Za-z0-9_-]";
/** The same with padding inside: how some vendors document their tokens. */
export const P = "[A-Za-z0-9_=-]";
export const H = "[0-9a-f]";
export const ANY_HEX = "[0-9a-fA-F]";
export const B64 = "[A-Za-z0-9+/]";
export const UUID = `${ANY_HEX}{8}-${ANY_HEX}{4}-${ANY_HEX}{4}-${ANY_HEX}{4}-${ANY_HEX}{12}`;

/** Start of a lead: not after a letter or digit, except an escape (`\\n`). */
export const START = "(?<=^|[^A-Za-z0-9]|\\\\[nrt])";
export const BASE64_START = "(?<=^|[^A-Za-z0-9+/]|\\\\[nrt])";

export interface TokenRule {
  readonly id: string;
  /** Literal prefixes that the text is scanned for. */
  readonly anchors: readonly string[];
  /** Regular expression source of the text after the anchor. */
  readonly body: string;
  /** Source of the text before the anchor that belongs to the secret. */
  readonly lead?: string;
  /** The anchor is short, so no letter or digit may precede it; `apart`: no `_`, `-` or `.` either. */
  readonly bounded?: true | "apart";
  /** The shape alone is proof: a body of words or of a sequence is redacted too. */
  readonly certain?: true;
}

/** All combinations of one character from each string: literals for prefixes known only by kind. */
export function combine(...places: string[]): string[] {
  return places.reduce<string[]>(
    (heads, place) => heads.flatMap((head) => [...place].map((next) => head + next)),
    [""],
  );
}
