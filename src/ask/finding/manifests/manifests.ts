/** The manifests of a project, each read once, line by line and with secrets redacted; and passages made of them. */
import { OWN_DOCUMENTS } from "../../../collections/declaring/own_documents.ts";
import { readContainedText } from "../../../kernel/files/bounded_read.ts";
import { redactLines } from "../../../redact/lines.ts";
import type { Passage } from "../../passage.ts";

const MAX_BYTES = 1 << 20;

export interface StatedLine {
  text: string;
  /** From 1. */
  line: number;
}

export class Manifests {
  readonly root: string;
  readonly #files = new Map<string, readonly string[]>();

  constructor(root: string) {
    this.root = root;
  }

  /** Empty for a file that is missing, too large or outside the project. */
  lines(file: string): readonly string[] {
    const known = this.#files.get(file) ?? redactLines(readContainedText(this.root, file, MAX_BYTES) ?? "");
    this.#files.set(file, known);
    return known;
  }

  /** The first line that matches, without the blanks around it. */
  line(file: string, pattern: RegExp): StatedLine | undefined {
    const at = this.lines(file).findIndex((each) => pattern.test(each));
    return at < 0 ? undefined : { text: statedText(this.lines(file)[at] ?? ""), line: at + 1 };
  }

  /** The lines between the first one that matches `start` and the next one that matches `end`. */
  between(file: string, start: RegExp, end: RegExp): StatedLine[] {
    const lines = this.lines(file);
    const first = lines.findIndex((line) => start.test(line));
    if (first < 0) return [];
    const length = lines.slice(first + 1).findIndex((line) => end.test(line));
    const below = lines.slice(first + 1, length < 0 ? undefined : first + 1 + length);
    return below
      .map((text, at) => ({ text: statedText(text), line: first + 2 + at }))
      .filter(({ text }) => text !== "");
  }
}

/** Without the comma that separates it from the next line. */
function statedText(line: string): string {
  return line.trim().replace(/,$/, "");
}

export function statedIn(file: string, section: string, lines: readonly StatedLine[], text: string): Passage {
  const places = lines.map(({ line }) => line);
  const range = [Math.min(...places), Math.max(...places)] as const;
  return {
    collection: OWN_DOCUMENTS,
    document: file,
    title: file,
    section,
    lines: range,
    text,
    score: 1,
    stated: true,
  };
}
