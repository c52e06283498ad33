/** The lines of a project's files, without secrets. Reads only files inside the project's folder, each once. */
import { readContainedText } from "../kernel/files/bounded_read.ts";
import { redactLines } from "../redact/lines.ts";
import { MAX_BYTES } from "./listing/skip.ts";
import type { CodeProject } from "./project.ts";

export class SourceLines {
  readonly #project: CodeProject;
  readonly #read = new Map<string, readonly string[]>();

  constructor(project: CodeProject) {
    this.#project = project;
  }

  /** Undefined if the file is missing or a link leads out of the project. */
  of(path: string): readonly string[] | undefined {
    const known = this.#read.get(path);
    if (known) return known;
    const text = readContainedText(this.#project.root, path, MAX_BYTES);
    if (text === undefined) return undefined;
    const lines = redactLines(text.replaceAll("\r\n", "\n"));
    this.#read.set(path, lines);
    return lines;
  }
}
