/** Finds the commit of a line, and whether a message wrote that line. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { callFiles } from "../conversations/activity/derive.ts";
import { callKind } from "../conversations/activity/tools.ts";
import type { Message } from "../conversations/model.ts";
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
  /** The line number and file name in that commit. */
  original_line: number;
  original_path: string;
  text: string;
}

const MAX_FILE_BYTES = 8 << 20;

export async function blameLine(repository: Repository, path: string, line: number): Promise<BlamedLine> {
  // Git would follow a linked folder, even out of the repository.
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

/** Redacts a line in the context of its file: a line in the middle of a key is not recognisable alone. */
function cleanLine(repository: Repository, path: string, line: number, blamed: string): string {
  const whole = readContainedText(repository.root, path, MAX_FILE_BYTES);
  const known = whole === undefined ? undefined : whole.split("\n")[line - 1]?.replace(/\r$/, "");
  if (whole !== undefined && known === blamed) return redactLines(whole)[line - 1]?.replace(/\r$/, "") ?? "";
  return redactText(blamed).text;
}

/** Shorter lines (`}`, `return;`) occur everywhere. */
const MIN_LINE_CHARS = 8;

/** Whether an edit in the message wrote this line to the file. */
export function wroteLine(message: Message, line: string, isFile: (path: string) => boolean): boolean {
  const wanted = line.trim();
  if (wanted.length < MIN_LINE_CHARS) return false;
  return message.parts.some((part) => {
    if (part.type !== "tool_call") return false;
    const files = callFiles(part);
    if (callKind(part) !== "edit" && !files.some(({ how }) => how === "edited")) return false;
    return files.some(({ path }) => isFile(path)) && containsLine(part.input, wanted, 0);
  });
}

/** Fields with the text that an edit removes. */
const REMOVED_TEXT_KEYS = /^old|^search$/i;

function containsLine(value: Json | undefined, wanted: string, depth: number): boolean {
  if (typeof value === "string") return value.split("\n").some((line) => line.replace(/^[+]/, "").trim() === wanted);
  if (typeof value !== "object" || value === null || depth > 6) return false;
  if (Array.isArray(value)) return value.some((item) => containsLine(item, wanted, depth + 1));
  return Object.entries(value).some(
    ([key, item]) => !REMOVED_TEXT_KEYS.test(key) && containsLine(item, wanted, depth + 1),
  );
}
