/** The text of a line of mdoc, the macros of BSD's manual pages, which may stand within a line: `.Op Fl v Ar file`. */
import { ownMember } from "../../../kernel/own_member.ts";
import { plainRoff } from "./escapes.ts";

const PLAIN = new Set(
  "Ar Cm Ic Pa Va Vt Dv Ev Em Sy Li Ad An Er Fa Ft Fn Cd Tn Ms No Mt Lk In Nm Xr Sx Bx Ox Nx Fx At Ux".split(" "),
);
const AROUND: Readonly<Record<string, readonly [string, string]>> = {
  Op: ["[", "]"],
  Oo: ["[", "]"],
  Sq: ["‘", "’"],
  Ql: ["`", "`"],
  Dq: ["“", "”"],
  Qq: ['"', '"'],
  Pq: ["(", ")"],
  Aq: ["<", ">"],
  Brq: ["{", "}"],
  Bq: ["[", "]"],
};
const PUNCTUATION = /^[.,:;)\]?!]$/;

export function isMdoc(macro: string): boolean {
  return macro === "Fl" || PLAIN.has(macro) || ownMember(AROUND, macro) !== undefined;
}

export function mdocText(words: readonly string[], name: string): string {
  let text = "";
  let glued = true;
  let mode = "";
  const closing: string[] = [];
  const add = (part: string): void => {
    text += glued || PUNCTUATION.test(part) ? part : ` ${part}`;
    glued = false;
  };
  // Punctuation at the end stands after the brackets and quotes.
  const end = words.findLastIndex((word) => !PUNCTUATION.test(word)) + 1;
  for (const [at, word] of words.slice(0, end).entries()) {
    const pair = ownMember(AROUND, word);
    if (word === "Ns") glued = true;
    else if (pair) {
      add(pair[0]);
      closing.unshift(pair[1]);
      glued = true;
    } else if (word === "Fl" || PLAIN.has(word)) {
      mode = word;
      const next = words[at + 1];
      if (word === "Nm" && (next === undefined || PUNCTUATION.test(next) || isMdoc(next))) add(name);
      if (word === "Fl" && (next === undefined || isMdoc(next))) add("-");
    } else if (mode === "Xr" && /^\d\w*$/.test(word)) text += `(${word})`;
    else add(mode === "Fl" && !PUNCTUATION.test(word) ? `-${plainRoff(word)}` : plainRoff(word));
  }
  return text + closing.join("") + words.slice(end).join("");
}
