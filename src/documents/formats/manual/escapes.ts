/** Text of roff as a reader sees it: `\fBbold\fP` is bold, `\-` a dash, `\(bu` a bullet. */
import { ownMember } from "../../../kernel/own_member.ts";

const NAMED: Readonly<Record<string, string>> = {
  bu: "•",
  aq: "'",
  cq: "’",
  oq: "‘",
  dq: '"',
  lq: "“",
  rq: "”",
  em: "—",
  en: "–",
  hy: "-",
  mi: "-",
  co: "©",
  rg: "®",
  tm: "™",
  rs: "\\",
  ha: "^",
  ti: "~",
  ga: "`",
  at: "@",
  sh: "#",
  Do: "$",
  ba: "|",
  lB: "[",
  rB: "]",
  lC: "{",
  rC: "}",
  "->": "→",
  "<-": "←",
  ">=": "≥",
  "<=": "≤",
  "!=": "≠",
  "+-": "±",
  mu: "×",
  de: "°",
  Aq: "'",
  "C`": "",
  "C'": "",
};
const SINGLE: Readonly<Record<string, string>> = {
  "-": "-",
  e: "\\",
  "\\": "\\",
  "'": "'",
  "`": "`",
  " ": " ",
  "~": " ",
  "0": " ",
  t: "\t",
  ".": ".",
};
/** A font, size or colour, a string, a register, a movement, a special character, or a single character. */
const ESCAPE =
  /\\(?:"[^\n]*|[fF](?:\[[^\]\n]*\]|\(..|.)|s(?:[+-]?\d{1,2}|\[[^\]\n]*\])|[mMn](?:\[[^\]\n]*\]|\(..|.)|[hvwDlLobx]'[^'\n]*'|\*?(?:\(([^\n]{2})|\[([^\]\n]*)\])|\*.|(.))/g;

export function plainRoff(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (_, two?: string, long?: string, one?: string) => {
    const name = two ?? long;
    if (name !== undefined) return ownMember(NAMED, name) ?? unicodeOf(name);
    return one === undefined ? "" : (SINGLE[one] ?? "");
  });
}

function unicodeOf(name: string): string {
  const code = /^u([0-9A-F]{4,5})$/.exec(name)?.[1];
  return code === undefined ? "" : String.fromCodePoint(Number.parseInt(code, 16));
}

/** The arguments of a request, which quotes may hold together. */
export function argumentsOf(text: string): string[] {
  const found = text.replace(/\\".*$/, "").match(/"(?:[^"]|"")*"?|(?:\\ |[^\s"])(?:\\ |\S)*/g) ?? [];
  return found.map((each) => (each.startsWith('"') ? each.slice(1).replace(/"$/, "").replaceAll('""', '"') : each));
}
