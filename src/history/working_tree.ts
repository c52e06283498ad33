/** The files of a working tree that git does not ignore, and a stamp that changes with any of them. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";
import type { Repository } from "./repository.ts";

const MAX_LISTING_BYTES = 64 << 20;

export async function workingFiles({ root }: Pick<Repository, "root">): Promise<string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { text } = await git(root, args, { maxBytes: MAX_LISTING_BYTES });
  return text.split("\0").filter((path) => path !== "");
}

/** Reads no file: an edit changes the size or one of the times. */
export function treeStamp({ root }: Pick<Repository, "root">, files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of files) hash.update(`${path}\0${fileStamp(join(root, path))}\n`);
  return hash.digest("hex");
}

/** Empty for a file that is not there. */
function fileStamp(path: string): string {
  try {
    const { size, mtimeMs, ctimeMs, ino, mode } = lstatSync(path);
    return `${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`;
  } catch {
    return "";
  }
}
