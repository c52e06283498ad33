/** The commit a line is from, and the conversation that wrote it. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { callFiles } from "../conversations/derive.ts";
import type { Message } from "../conversations/model.ts";
import { callKind } from "../conversations/tools.ts";
import { DexError } from "../kernel/errors.ts";
import { containedPath, readContainedText } from "../kernel/files/bounded_read.ts";
import type { Json } from "../kernel/json.ts";
import { redactLines } from "../redact/lines.ts";
import { redactText } from "../redact/redact.ts";
import { git } from "./git.ts";
import type { Repository } from "./repository.ts";

export interface BlamedLine {
  /** Undefined: not committed yet. */
  sha: string | undefined;
  line: number;
  /** Its number in that commit, and the name the file had there. */
  original_line: number;
  original_path: string;
  text: string;
}

const MAX_FILE_BYTES = 8 << 20;

export async function blameLine(repository: Repository, path: string, line: number): Promise<BlamedLine> {
  // Git itself would read through a linked folder, also one that leads out of the repository.
  const isOutside = existsSync(join(repository.root, path)) && containedPath(repository.root, path) === undefined;
  if (isOutside) throw new DexError("outside", `${path} leads out of the repository ${repository.root}.`);
  const args = ["blame", "--porcelain", "--no-textconv", "-w", "-M", `-L${line},${line}`, "--", path];
  const { text } = await git(repository.root, args, { timeoutMs: 60_000 });
  const head = /^([0-9a-f]{40,64}) (\d+) (\d+)/.exec(text);
  const sha = head?.[1] ?? "";
  return {
    sha: /^0+$/.test(sha) || sha === "" ? undefined : sha,
    line,
    original_line: Number(head?.[2] ?? line),
    original_path: redactText(/^filename (.+)$/m.exec(text)?.[1] ?? path).text,
    text: cleanLine(repository, path, line, /^\t(.*)$/m.exec(text)?.[1] ?? ""),
  };
}

/** A line in the middle of a key looks like nothing by itself: the file as a whole tells. */
function cleanLine(repository: Repository, path: string, line: number, said: string): string {
  const whole = readContainedText(repository.root, path, MAX_FILE_BYTES);
  const known = whole === undefined ? undefined : whole.split("\n")[line - 1]?.replace(/\r$/, "");
  if (whole !== undefined && known === said) return redactLines(whole)[line - 1]?.replace(/\r$/, "") ?? "";
  return redactText(said).text;
}

/** Shorter lines (`}`, `return;`) are written by everybody. */
const SHORTEST_LINE = 8;

/** Whether the message has an edit of the file that put this line there. */
export function wroteLine(message: Message, line: string, isFile: (path: string) => boolean): boolean {
  const wanted = line.trim();
  if (wanted.length < SHORTEST_LINE) return false;
  return message.parts.some((part) => {
    if (part.type !== "tool_call") return false;
    const files = callFiles(part);
    if (callKind(part) !== "edit" && !files.some(({ how }) => how === "edited")) return false;
    return files.some(({ path }) => isFile(path)) && holds(part.input, wanted, 0);
  });
}

/** What an edit takes out is not what it wrote. */
const TAKEN_OUT = /^old|^search$/i;

function holds(value: Json | undefined, wanted: string, depth: number): boolean {
  if (typeof value === "string") return value.split("\n").some((line) => line.replace(/^[+]/, "").trim() === wanted);
  if (typeof value !== "object" || value === null || depth > 6) return false;
  if (Array.isArray(value)) return value.some((item) => holds(item, wanted, depth + 1));
  return Object.entries(value).some(([key, item]) => !TAKEN_OUT.test(key) && holds(item, wanted, depth + 1));
}
