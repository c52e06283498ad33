/** The parts that token shapes are written with, and the form of one rule. Nothing here runs. */

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

/** Where a lead starts: behind no letter or digit, an escape (`\\n`) aside. */
export const START = "(?<=^|[^A-Za-z0-9]|\\\\[nrt])";
export const BASE64_START = "(?<=^|[^A-Za-z0-9+/]|\\\\[nrt])";

export interface TokenRule {
  readonly id: string;
  /** Literal beginnings. They are what the text is scanned for. */
  readonly anchors: readonly string[];
  /** Regular expression source of what follows the anchor. */
  readonly body: string;
  /** Source of what stands before the anchor and belongs to the secret. */
  readonly lead?: string;
  /** The anchor is too short to stand alone: no letter or digit may stand before it; `apart`: no `_`, `-` or `.` either. */
  readonly bounded?: true | "apart";
  /** The shape alone is proof: a body of words or of a sequence is redacted too. */
  readonly certain?: true;
}

/** Every way to take one character of each: literals for beginnings that are known by their kind only. */
export function combine(...places: string[]): string[] {
  return places.reduce<string[]>(
    (heads, place) => heads.flatMap((head) => [...place].map((next) => head + next)),
    [""],
  );
}
