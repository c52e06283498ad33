/**
 * Reads TypeScript declaration files for their documented declarations, in one pass over the characters. It follows
 * braces, strings and comments, not the grammar: an odd file gives fewer declarations, never an error.
 */
import { oneLine } from "../../kernel/text.ts";

export interface Declaration {
  /** With its containers: `Server.listen`. */
  name: string;
  signature: string;
  /** The text between the comment's marks. */
  comment: string;
}

const MAX_SIGNATURE_CHARS = 600;
const MAX_DEPTH = 50;
const MODIFIERS =
  /^(?:(?:export|default|declare|abstract|public|static|readonly|async|get|set|override|accessor|unique)\s+|(?:function\*?|const|let|var|class|interface|type|enum|namespace|module|global)\s+)*/;
const NAME = /^(?:["'`]([^"'`\n]{1,100})["'`]|([\p{ID_Start}$_#][\p{ID_Continue}$.]*))/u;
const HIDDEN = /@(?:internal|private|hidden|ignore)\b/;

export function documentedDeclarations(text: string): Declaration[] {
  return new DeclarationReader(text).read();
}

class DeclarationReader {
  readonly #text: string;
  #at = 0;
  #comment: string | undefined;
  /** Names of the open containers; empty for one without a name. */
  readonly #containers: string[] = [];
  /** Open containers that are nested too deeply to be named. */
  #deeper = 0;
  readonly #found: Declaration[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): Declaration[] {
    const text = this.#text;
    while (this.#at < text.length) {
      const char = text[this.#at] ?? "";
      if (/\s/.test(char) || char === ";" || char === ",") this.#at += 1;
      else if (char === "/" && this.#skipComment()) continue;
      else if (char === "}") {
        if (this.#deeper > 0) this.#deeper -= 1;
        else this.#containers.pop();
        this.#comment = undefined;
        this.#at += 1;
      } else this.#declaration();
    }
    return this.#found;
  }

  /** Skips a comment and keeps it if it documents what follows. */
  #skipComment(): boolean {
    const text = this.#text;
    if (text.startsWith("//", this.#at)) {
      const end = text.indexOf("\n", this.#at);
      this.#at = end < 0 ? text.length : end + 1;
      return true;
    }
    if (!text.startsWith("/*", this.#at)) return false;
    const end = text.indexOf("*/", this.#at + 2);
    const stop = end < 0 ? text.length : end;
    if (text.startsWith("/**", this.#at) && stop > this.#at + 3) this.#comment = text.slice(this.#at + 3, stop);
    this.#at = Math.min(text.length, stop + 2);
    return true;
  }

  /** Reads a declaration up to its semicolon or to the brace that opens its members. */
  #declaration(): void {
    const start = this.#at;
    const end = this.#endOfHead();
    const opens = this.#text[end] === "{";
    const head = this.#text.slice(start, Math.min(end, start + MAX_SIGNATURE_CHARS * 2));
    const name = nameOf(head);
    if (
      this.#comment !== undefined &&
      name !== "" &&
      !HIDDEN.test(this.#comment) &&
      !/^(?:private|protected)\s/.test(head)
    ) {
      const containers = this.#containers.filter((each) => each !== "");
      const signature = oneLine(head).slice(0, MAX_SIGNATURE_CHARS);
      this.#found.push({ name: [...containers, name].join("."), signature, comment: this.#comment });
    }
    this.#comment = undefined;
    // The name of a module is not part of the names inside it.
    const inside = /^(?:declare\s+)?(?:module|global)\b/.test(head) ? "" : name;
    if (opens && this.#containers.length < MAX_DEPTH) this.#containers.push(inside);
    else if (opens) this.#deeper += 1;
    this.#at = opens || this.#text[end] === ";" ? end + 1 : Math.max(end, start + 1);
  }

  #endOfHead(): number {
    const text = this.#text;
    let depth = 0;
    /** Open angle brackets, which count as depth, too. An arrow closes none. */
    let angles = 0;
    for (let at = this.#at; at < text.length; at += 1) {
      const char = text[at];
      if (char === "(" || char === "[" || (char === "{" && depth > 0)) depth += 1;
      else if ((char === ")" || char === "]" || char === "}") && depth > 0) depth -= 1;
      else if (char === "<") {
        depth += 1;
        angles += 1;
      } else if (char === ">" && angles > 0 && text[at - 1] !== "=") {
        depth -= 1;
        angles -= 1;
      } else if (char === '"' || char === "'" || char === "`") at = endOfString(text, at);
      else if (char === "/" && text[at + 1] === "/") at = lineEnd(text, at) - 1;
      else if (char === "/" && text[at + 1] === "*") {
        // A comment between members: the declaration before it had no semicolon.
        if (depth === 0 && text.startsWith("/**", at) && /\n\s*$/.test(text.slice(Math.max(0, at - 200), at)))
          return at;
        const close = text.indexOf("*/", at + 2);
        at = close < 0 ? text.length : close + 1;
      } else if (depth === 0 && (char === ";" || char === "{" || char === "}")) return at;
    }
    return text.length;
  }
}

function endOfString(text: string, start: number): number {
  const mark = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === mark || (text[at] === "\n" && mark !== "`")) return at;
  }
  return text.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function nameOf(head: string): string {
  if (/^import\b/.test(head)) return "";
  const match = NAME.exec(head.replace(/^(?:private|protected)\s+/, "").replace(MODIFIERS, ""));
  return match?.[1] ?? match?.[2] ?? "";
}
