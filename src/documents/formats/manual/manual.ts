/**
 * Manual pages in roff, with the macros of man or of mdoc: sections, paragraphs, options with their descriptions, code.
 * Nothing of a page is run: requests that define, test or include are left out.
 */
import { linesOf } from "../../lines.ts";
import type { ParsedDocument } from "../../model.ts";
import { buildSections } from "../../sections.ts";
import { HtmlWriter } from "../html/writer.ts";
import { argumentsOf, plainRoff } from "./escapes.ts";
import { isMdoc, mdocText } from "./mdoc.ts";

/** A manual page starts with comments and requests, and names itself. */
const SIGN = /^(?:[.'][ \t]*(?:TH|Dd|Dt)[ \t]|[.'][ \t]*\\"|'\\")/;
const NAMED = /^[.'][ \t]*(?:TH|Dt)[ \t]/m;
const MAX_EXAMINED_CHARS = 20_000;

export function isManual(text: string): boolean {
  const head = text.slice(0, MAX_EXAMINED_CHARS);
  const first = head.split("\n").find((line) => line.trim() !== "") ?? "";
  return (SIGN.test(first) || /^[.']/.test(first)) && NAMED.test(head);
}

export function parseManual(source: string): ParsedDocument {
  const page = new ManualPage();
  for (const line of source.split(/\r?\n/)) page.read(line);
  const { text, writer } = page.finish();
  // The page's own title is often in capitals; the name of the file is the name of the documented program.
  return { format: "manual", title: "", text, sections: buildSections(linesOf(text), writer) };
}

const COMMENT = /\\["#].*$/;
const PARAGRAPH = new Set(["PP", "LP", "P", "Pp", "sp", "HP"]);
const FONTS = new Set(["B", "I", "R", "SM", "SB"]);
const ALTERNATING = new Set(["BR", "RB", "BI", "IB", "IR", "RI"]);
const CODE_STARTS = new Set(["nf", "EX", "Vb", "Bd"]);
const CODE_ENDS = new Set(["fi", "EE", "Ve", "Ed"]);
const BULLET = /^(?:[•*o+-]|\d{1,3}[.)]?)$/;

class ManualPage {
  readonly #writer = new HtmlWriter();
  #name = "";
  /** For each indented part, whether a list is open in it. */
  readonly #lists: boolean[] = [false];
  /** Whether the next line is a term. */
  #awaitsTerm = false;
  #code: string[] | undefined;
  /** The request that ends what is left out. */
  #until: string | undefined;
  #table: string[] | undefined;
  #openBraces = 0;

  read(source: string): void {
    const line = /^[.']/.test(source) ? source.replace(COMMENT, "").trimEnd() : source;
    if (line === "" && source !== "") return;
    const [, request = "", rest = ""] = /^[.'][ \t]*([^\s\\]*)[ \t]*(.*)$/.exec(line) ?? [];
    const isRequest =
      line.startsWith(".") || (line.startsWith("'") && /^'[ \t]*(?:\\"|[A-Za-z]{2}(?:\s|$))/.test(line));
    if (this.#isLeftOut(line, isRequest ? request : undefined, rest)) return;
    if (this.#table && request !== "TE") this.#table.push(line);
    else if (isRequest) this.#request(request, rest);
    else if (this.#code) this.#code.push(plainRoff(line));
    else this.#text(line);
  }

  finish(): { text: string; writer: HtmlWriter } {
    this.#endCode();
    this.#closeLists(0);
    return { text: this.#writer.finish(), writer: this.#writer };
  }

  /** Definitions, and text that depends on a condition. */
  #isLeftOut(line: string, request: string | undefined, rest: string): boolean {
    if (this.#until !== undefined) {
      if (request === this.#until || line.startsWith(`.${this.#until}`)) this.#until = undefined;
      return true;
    }
    if (
      this.#openBraces > 0 ||
      line.startsWith("\\{") ||
      (request !== undefined && /^(?:if|ie|el|while)$/.test(request))
    ) {
      this.#openBraces += line.split("\\{").length - line.split("\\}").length;
      return true;
    }
    if (request === "de" || request === "ig" || request === "am") {
      this.#until = /^(?:\S+\s+)?(\S+)$/.exec(request === "ig" ? rest : rest.replace(/^\S+\s*/, ""))?.[1] ?? ".";
      return true;
    }
    return false;
  }

  #text(line: string): void {
    const text = plainRoff(line);
    if (this.#awaitsTerm) this.#term(text);
    else if (text.trim() === "") this.#writer.endBlock(true);
    else if (/^\s/.test(text)) this.#write(text, true);
    else this.#write(text);
  }

  #write(text: string, ownLine = false): void {
    if (ownLine) this.#writer.endBlock(false);
    this.#writer.write(`${text} `);
  }

  #term(text: string): void {
    this.#awaitsTerm = false;
    const level = this.#lists.length - 1;
    if (this.#lists[level] !== true) {
      this.#writer.openList(false);
      this.#lists[level] = true;
    }
    this.#writer.openItem();
    if (BULLET.test(text.trim())) return;
    this.#writer.write(text);
    this.#writer.endLabel();
  }

  #request(request: string, rest: string): void {
    const words = argumentsOf(rest);
    if (request === "SH" || request === "SS" || request === "Sh" || request === "Ss") this.#heading(request, words);
    else if (PARAGRAPH.has(request)) this.#paragraph(request);
    else if (request === "TP" || request === "TQ") this.#startTerm();
    else if (request === "IP" || request === "It") this.#item(request, words);
    else if (request === "RS" || request === "Bl") this.#lists.push(false);
    else if (request === "RE" || request === "El") this.#closeLists(Math.max(1, this.#lists.length - 1));
    else if (CODE_STARTS.has(request)) this.#startCode();
    else if (CODE_ENDS.has(request)) this.#endCode();
    else if (request === "TS") this.#table = [];
    else if (request === "TE") this.#endTable();
    else if (request === "br" && !this.#code) this.#writer.endBlock(false, true);
    else this.#inline(request, words);
  }

  #inline(request: string, words: string[]): void {
    let text: string | undefined;
    if (FONTS.has(request)) text = plainRoff(words.join(" "));
    else if (ALTERNATING.has(request)) text = plainRoff(words.join(""));
    else if (request === "UR" || request === "MT") text = words[0] ?? "";
    else if (request === "Nd") text = `- ${plainRoff(words.join(" "))}`;
    else if (request === "Dl" || request === "D1") {
      this.#writer.code(mdocText(words, this.#name), "");
      return;
    } else if (isMdoc(request)) {
      if (request === "Nm" && this.#name === "") this.#name = words[0] ?? "";
      text = mdocText([request, ...words], this.#name);
    }
    if (text === undefined) return;
    if (this.#code) this.#code.push(text);
    else if (this.#awaitsTerm) this.#term(text);
    else this.#write(text);
  }

  #heading(request: string, words: string[]): void {
    this.#endCode();
    this.#closeLists(0);
    this.#writer.endBlock(true);
    this.#awaitsTerm = false;
    this.#writer.heading(request.toUpperCase() === "SH" ? 1 : 2, plainRoff(words.join(" ")).trim());
  }

  #paragraph(request: string): void {
    if (this.#code) {
      if (this.#code.length > 0) this.#code.push("");
      return;
    }
    this.#writer.endBlock(true);
    // Space within a description does not end it.
    if (request !== "sp" && request !== "Pp") this.#closeList();
  }

  #startTerm(): void {
    this.#writer.endBlock(false);
    this.#awaitsTerm = true;
  }

  #item(request: string, words: string[]): void {
    this.#startTerm();
    const term = request === "It" ? mdocText(words, this.#name) : plainRoff(words[0] ?? "");
    if (term.trim() !== "") this.#term(term);
    else {
      this.#awaitsTerm = false;
      // An empty tag goes on with the item above; in mdoc it is a bullet.
      if (request === "It") this.#term("-");
    }
  }

  /** In a list, code belongs to the item above it. */
  #startCode(): void {
    this.#endCode();
    this.#code = [];
  }

  #endCode(): void {
    if (this.#code?.some((line) => line.trim() !== "")) this.#writer.code(this.#code.join("\n"), "");
    this.#code = undefined;
  }

  /** Rows of tbl: the format ends with a full stop, cells are separated by tabs. */
  #endTable(): void {
    const lines = this.#table ?? [];
    this.#table = undefined;
    this.#writer.endBlock(true);
    const from = lines.findIndex((line) => /\.\s*$/.test(line)) + 1;
    for (const line of lines.slice(from)) {
      if (/^(?:\.|_\s*$|=\s*$|T\}\s*$|\s*$)/.test(line)) continue;
      this.#writer.row(
        line
          .replace(/T\{/g, "")
          .split("\t")
          .map((cell) => plainRoff(cell).trim().replaceAll("|", "\\|")),
        false,
      );
    }
    this.#writer.gap();
  }

  #closeList(): void {
    const level = this.#lists.length - 1;
    if (this.#lists[level]) this.#writer.closeList();
    this.#lists[level] = false;
  }

  /** Leaves the inner parts, down to this number. */
  #closeLists(left: number): void {
    while (this.#lists.length > Math.max(1, left)) {
      this.#closeList();
      this.#lists.pop();
    }
    if (left === 0) this.#closeList();
  }
}
