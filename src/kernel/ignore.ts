/** What .gitignore files leave out: the rules of gitignore(5), each file's for its own folder and those below. */

export interface Rule {
  pattern: { test(path: string): boolean };
  keep: boolean;
  foldersOnly: boolean;
}

/** A chain: the rules of a folder's own file, after those of the folders above it. */
export interface Ignore {
  /** With slashes, relative to the collection's root; empty at the root. */
  folder: string;
  rules: readonly Rule[];
  above: Ignore | undefined;
}

const MOST_RULES = 5000;

export function parseIgnore(text: string, folder: string, above: Ignore | undefined): Ignore {
  const rules: Rule[] = [];
  for (const line of text.split(/\r\n|\n/).slice(0, MOST_RULES)) {
    const rule = parseRule(line);
    if (rule) rules.push(rule);
  }
  return { folder, rules, above };
}

/** The last rule that fits decides, the nearest file first. A folder above that is left out was never walked. */
export function isIgnored(ignore: Ignore | undefined, path: string, isFolder: boolean): boolean {
  for (let at = ignore; at; at = at.above) {
    const below = at.folder === "" ? path : path.slice(at.folder.length + 1);
    const rule = at.rules.findLast((each) => (isFolder || !each.foldersOnly) && each.pattern.test(below));
    if (rule) return !rule.keep;
  }
  return false;
}

function parseRule(line: string): Rule | undefined {
  let text = line.replace(/(?<!\\)\s+$/, "");
  if (text === "" || text.startsWith("#") || text.length > 1000) return undefined;
  const keep = text.startsWith("!");
  if (keep) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.slice(0, -1);
  // A slash inside fixes the pattern to the file's own folder.
  const fixed = text.includes("/");
  if (text.startsWith("/")) text = text.slice(1);
  if (text === "") return undefined;
  const source = translate(text);
  return source === undefined
    ? undefined
    : { pattern: new RegExp(`^${fixed ? "" : "(?:.*/)?"}${source}$`, "u"), keep, foldersOnly };
}

/** Runs of stars are joined, so that no pattern can be slow in more than the length of the path. */
function translate(glob: string): string | undefined {
  let out = "";
  const text = glob.replace(/\*{3,}/g, "**");
  if ((text.match(/\*/g) ?? []).length > 12) return undefined;
  for (let i = 0; i < text.length; i += 1) {
    const sign = text[i] ?? "";
    if (text.startsWith("**/", i) && (i === 0 || text[i - 1] === "/")) {
      out += "(?:[^/]+/)*";
      i += 2;
    } else if (text.startsWith("/**", i) && i + 3 === text.length) {
      out += "/.+";
      i += 2;
    } else if (sign === "*") {
      if (text[i + 1] === "*") i += 1;
      out += "[^/]*";
    } else if (sign === "?") out += "[^/]";
    else if (sign === "[") {
      const end = text.indexOf("]", i + 2);
      const inner = end < 0 ? "" : text.slice(i + 1, end);
      if (inner === "" || /[\\[]/.test(inner)) {
        out += "\\[";
      } else {
        out += `[${inner.replace(/^!/, "^").replace(/[&~]/g, "\\$&")}]`;
        i = end;
      }
    } else if (sign === "\\" && i + 1 < text.length) {
      i += 1;
      out += literal(text[i] ?? "");
    } else out += literal(sign);
  }
  try {
    new RegExp(out, "u");
    return out;
  } catch {
    return undefined;
  }
}

function literal(sign: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(sign) ? `\\${sign}` : sign;
}
