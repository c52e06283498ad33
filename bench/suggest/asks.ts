/**
 * What commits were made for, in words, as prompts. Of a repository it is the subject; of releases of a package the
 * entries that a release adds to the package's own list of changes, where these are few.
 */
import { execFileSync } from "node:child_process";

/** The subject in plain words, without `type(scope):`; or with the words of the scope. */
export function plainSubject(subject: string, scope = false): string {
  const [, named = "", rest = subject] = /^\w+(?:\(([^)]*)\))?!?:\s*(.*)$/.exec(subject) ?? [];
  return (scope ? `${named.replace(/[^\p{L}\p{N}]+/gu, " ")} ${rest}` : rest).trim();
}

const LISTS = ["CHANGELOG.md", "Changelog.md", "History.md"];
const MOST_ENTRIES = 3;
const SHORTEST = 12;

/** By commit. Entries that tell of nothing but versions are none; neither are links. */
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
      return plain.length < SHORTEST || /^(?:deps\b|bump\b|v?\d+\.\d+)/i.test(plain) ? [] : [plain];
    });
    if (entries.length > 0 && entries.length <= MOST_ENTRIES) found.set(sha, entries.join("\n"));
  }
  return found;
}
