/** Whether a command or an edit brings back what a decision rejects. */
import type { Decision } from "../decision.ts";
import { termOf } from "./choices.ts";

const MAX_NAME_CHARS = 40;
/** Sources that state rejected alternatives deliberately; in prose, "replace screenshots with …" rejects nothing. */
const STATES_REJECTED: ReadonlySet<Decision["origin"]> = new Set(["user", "adr", "trailer"]);
/** A package, a path or an identifier, not an ordinary word. */
const IS_CODE = /[@./_\d-]|[a-z][A-Z]/;

/**
 * Whether one of these packages, which are being installed or imported, is a rejected alternative. In this position
 * even an ordinary word is the name of a package.
 */
export function rejectsPackage({ alternatives }: Decision, packages: ReadonlySet<string>): boolean {
  return alternatives.some((alternative) => {
    const name = termOf(alternative).replace(/[.,]+$/, "");
    return packages.has(name) || packages.has(name.replace(/\.js$/, ""));
  });
}

/** The alternative is one name, and the text has it as a word of its own. */
export function namesRejected({ alternatives, origin }: Decision, text: string): boolean {
  return alternatives.some((alternative) => {
    const name = alternative.replace(/^[`'"]+|[`'".]+$/g, "");
    if (!STATES_REJECTED.has(origin) && !IS_CODE.test(name)) return false;
    if (name.length < 2 || name.length > MAX_NAME_CHARS || !/^[\w@./-]+$/.test(name)) return false;
    return new RegExp(`(?<![\\w@./-])${RegExp.escape(name)}(?![\\w@/-])`).test(text);
  });
}
