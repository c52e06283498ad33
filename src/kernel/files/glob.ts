/**
 * Matches path patterns in bounded time. Patterns come from untrusted files (`.gitignore`, a manifest's globs), and as
 * regular expressions they backtrack: `*a*a*a*b` takes forever. Here a segment is matched with two pointers, going back to the
 * last star alone, and `**` is matched in the same way over whole segments: at most length of the pattern times length of
 * the path. That is also why the npm packages `ignore` and `minimatch` are not used: both build regular expressions.
 */
import { ownMember } from "../own_member.ts";

/** One character of a segment, or a run of any. */
type Token = { star: true } | { star: false; fits(char: string): boolean };

/** `**`: any number of whole segments. */
type Segment = "**" | SegmentTest;
type SegmentTest = (segment: string) => boolean;

export interface GlobOptions {
  /** `*`, `?`, a set and `**` do not fit names that begin with a dot, as in a shell. */
  dotsApart?: boolean;
}

const MAX_PATTERN_CHARS = 4000;

/** Undefined for a pattern that matches nothing (an unclosed set, a backslash at the end, a pattern that is too long). */
export function compilePath(pattern: string, options: GlobOptions = {}): ((path: string) => boolean) | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined;
  const segments = parseSegments(pattern, options);
  if (!segments) return undefined;
  const skips = (segment: string): boolean => !options.dotsApart || !segment.startsWith(".");
  return (path) => fitsPath(segments, path.split("/"), skips);
}

/** A pattern for one name alone. */
export function compileName(pattern: string): SegmentTest | undefined {
  const plain = plainTest(pattern);
  if (plain) return plain;
  const tokens = pattern.length > MAX_PATTERN_CHARS ? undefined : parseTokens(pattern);
  return tokens && segmentTest(tokens.map(({ token }) => token));
}

/** A fast path: most patterns are a name or a suffix. */
function plainTest(pattern: string): SegmentTest | undefined {
  if (!/[*?[\\]/.test(pattern)) return (segment) => segment === pattern;
  if (/^\*[^*?[\\]+$/.test(pattern)) {
    const ending = pattern.slice(1);
    return (segment) => segment.endsWith(ending);
  }
  return undefined;
}

function parseSegments(pattern: string, options: GlobOptions): Segment[] | undefined {
  const tokens = parseTokens(pattern);
  if (!tokens) return undefined;
  const segments: Segment[] = [];
  let open: Parsed[] = [];
  const close = (): void => {
    const onlyStars = open.length > 0 && open.every(({ token }) => token.star);
    const test = segmentTest(open.map(({ token }) => token));
    const magic = options.dotsApart && open[0]?.magic;
    if (onlyStars && (open[0]?.stars ?? 0) > 1) segments.push("**");
    else segments.push(magic ? (segment) => !segment.startsWith(".") && test(segment) : test);
    open = [];
  };
  for (const each of tokens) {
    if (each.slash) close();
    else open.push(each);
  }
  close();
  return segments;
}

interface Parsed {
  token: Token;
  slash: boolean;
  /** A wildcard or a set, not a literal character. */
  magic: boolean;
  /** The number of consecutive stars in the pattern. */
  stars: number;
}

function parseTokens(pattern: string): Parsed[] | undefined {
  const tokens: Parsed[] = [];
  const put = (token: Token, magic: boolean, slash = false, stars = 0): void => {
    tokens.push({ token, magic, slash, stars });
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] ?? "";
    if (char === "*") {
      let stars = 1;
      while (pattern[at + 1] === "*") {
        at += 1;
        stars += 1;
      }
      put({ star: true }, true, false, stars);
    } else if (char === "?") put({ star: false, fits: () => true }, true);
    else if (char === "[") {
      const set = parseSet(pattern, at);
      if (!set) return undefined;
      put({ star: false, fits: set.fits }, true);
      at = set.end;
    } else {
      if (char === "\\") at += 1;
      const literal = pattern[at];
      if (literal === undefined) return undefined;
      put({ star: false, fits: (other) => other === literal }, false, literal === "/");
    }
  }
  return tokens;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the class of control characters
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** `[a-z]`, `[!a]`, `[[:alpha:]]`: parsed as git's own matcher does. `end` is the position of the closing bracket. */
function parseSet(pattern: string, start: number): { fits(char: string): boolean; end: number } | undefined {
  const tests: ((char: string) => boolean)[] = [];
  let at = start + 1;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at += 1;
  let before = "";
  do {
    let char = pattern[at];
    if (char === undefined) return undefined;
    const next = pattern[at + 1];
    if (char === "-" && before !== "" && next !== undefined && next !== "]") {
      at += next === "\\" ? 2 : 1;
      const [first, last] = [before, pattern[at]];
      if (last === undefined) return undefined;
      tests.push((other) => other >= first && other <= last);
      before = "";
    } else if (char === "[" && next === ":") {
      const end = pattern.indexOf("]", at + 2);
      if (end < 0) return undefined;
      if (end > at + 2 && pattern[end - 1] === ":") {
        const named = ownMember(CLASSES, pattern.slice(at + 2, end - 1));
        if (!named) return undefined;
        tests.push((other) => named.test(other));
        at = end;
        before = "";
      } else {
        tests.push((other) => other === "[");
        before = "[";
      }
    } else {
      if (char === "\\") {
        at += 1;
        char = pattern[at];
        if (char === undefined) return undefined;
      }
      const only = char;
      tests.push((other) => other === only);
      before = only;
    }
    at += 1;
  } while (pattern[at] !== "]");
  return { fits: (char) => tests.some((test) => test(char)) !== negated, end: at };
}

function segmentTest(tokens: readonly Token[]): SegmentTest {
  return (segment) => {
    let [token, at] = [0, 0];
    // Where to continue when the rest does not match: the last star takes one more character.
    let [starToken, starAt] = [-1, 0];
    while (at < segment.length) {
      const here = tokens[token];
      if (here?.star) {
        starToken = token;
        starAt = at;
        token += 1;
      } else if (here?.fits(segment[at] ?? "")) {
        token += 1;
        at += 1;
      } else if (starToken >= 0) {
        token = starToken + 1;
        starAt += 1;
        at = starAt;
      } else return false;
    }
    while (tokens[token]?.star) token += 1;
    return token === tokens.length;
  };
}

/** The same over segments. A final `**` must match at least one segment; elsewhere it may match none. */
function fitsPath(pattern: readonly Segment[], path: readonly string[], skips: (segment: string) => boolean): boolean {
  const last = pattern.length - 1;
  let [p, at] = [0, 0];
  let [starP, starAt] = [-1, 0];
  while (at < path.length) {
    const here = pattern[p];
    const segment = path[at] ?? "";
    if (here === "**") {
      starP = p;
      // After a final `**`, nothing is left to match.
      if (p === last) return path.slice(at).every(skips);
      starAt = at;
      p += 1;
    } else if (here?.(segment)) {
      p += 1;
      at += 1;
    } else if (starP >= 0 && skips(path[starAt] ?? "")) {
      p = starP + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  return p === pattern.length;
}

const MAX_ALTERNATIVES = 256;
const MAX_COMPILED = 500;
const compiled = new Map<string, readonly ((path: string) => boolean)[]>();

/**
 * A glob as people write it for files: `*`, `**`, `?`, sets and `{a,b}`. A name that begins with a dot is matched only
 * by a pattern that begins with one.
 */
export function matchesGlob(path: string, glob: string): boolean {
  let tests = compiled.get(glob);
  if (!tests) {
    tests = expandBraces(glob).flatMap((each) => compilePath(each, { dotsApart: true }) ?? []);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(glob, tests);
  }
  return tests.some((test) => test(path));
}

/** `a/{b,c}` is `a/b` and `a/c`. A pattern with more than MAX_ALTERNATIVES matches nothing. */
function expandBraces(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const group = firstGroup(text);
    if (!group) done.push(text);
    else for (const part of group.parts) open.push(text.slice(0, group.start) + part + text.slice(group.end));
    if (done.length + open.length > MAX_ALTERNATIVES || text.length > MAX_PATTERN_CHARS) return [];
  }
  return done;
}

/** The first pair of braces with a comma at its own depth. */
function firstGroup(text: string): { start: number; end: number; parts: string[] } | undefined {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    if (text[start - 1] === "\\") continue;
    const parts: string[] = [];
    let [depth, from] = [0, start + 1];
    for (let at = start; at < text.length; at += 1) {
      const char = text[at];
      if (char === "\\") at += 1;
      else if (char === "{") depth += 1;
      else if (char === "," && depth === 1) {
        parts.push(text.slice(from, at));
        from = at + 1;
      } else if (char === "}") {
        depth -= 1;
        if (depth > 0) continue;
        if (parts.length > 0) return { start, end: at + 1, parts: [...parts, text.slice(from, at)] };
        break;
      }
    }
  }
  return undefined;
}
