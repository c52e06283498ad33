/**
 * The purposes of commits, in words, as prompts. For a repository it is the subject; for releases of a package, the
 * entries that a release adds to the package's own changelog, if these are few.
 */
import { execFileSync } from "node:child_process";

/** The subject in plain words, without `type(scope):`; or with the words of the scope. */
export function plainSubject(subject: string, scope = false): string {
  const [, named = "", rest = subject] = /^\w+(?:\(([^)]*)\))?!?:\s*(.*)$/.exec(subject) ?? [];
  return (scope ? `${named.replace(/[^\p{L}\p{N}]+/gu, " ")} ${rest}` : rest).trim();
}

const LISTS = ["CHANGELOG.md", "Changelog.md", "History.md"];
const MAX_ENTRIES = 3;
const MIN_ENTRY_CHARS = 12;

/** By commit. Entries about versions only do not count; neither do links. */
export function addedEntries(folder: string): Map<string, string> {
  const args = ["-C", folder, "log", "--format=\u0001%H", "--patch", "--unified=0", "--", ...LISTS];
  const text = execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const found = new Map<string, string>();
  for (const part of text.split("\u0001").slice(1)) {
    const [sha = "", ...lines] = part.split("\n");
    const entries = lines.flatMap((line) => {
      const [, entry] = /^\+\s*[*-]\s+(.*)$/.exec(line) ?? [];
      const plain = (entry ?? "")
        .replace(/\(?\[[^\]]*\]\([^)]*\)\)?|https?:\S+|\(?#\d+\)?/g, " ")
        .replace(/\*\*([^*]*):\*\*/g, "$1")
        .replace(/\s+/g, " ")
        .trim();
      return plain.length < MIN_ENTRY_CHARS || /^(?:deps\b|bump\b|v?\d+\.\d+)/i.test(plain) ? [] : [plain];
    });
    if (entries.length > 0 && entries.length <= MAX_ENTRIES) found.set(sha, entries.join("\n"));
  }
  return found;
}
