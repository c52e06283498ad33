/**
 * Finds wording that a stranger would have to decode, and suggests a replacement. The list contains the most frequent
 * slips; AGENTS.md has the rule. Prose is the text of a page, and the comments and strings of a TypeScript file.
 */
import { type Page, type Problem, splitPage } from "./markdown.ts";
import { nodesOf, withTree } from "./typescript.ts";

interface Slip {
  pattern: RegExp;
  instead: string;
}

const LISTED: readonly Slip[] = [
  {
    pattern: /(?<!\bthere )\bis no (?!longer\b|more\b|less\b|fewer\b|later\b|earlier\b|way\b|reason\b|need\b)[a-z]/i,
    instead: 'write "is not a …", or say what it is',
  },
  {
    pattern: /(?:^\s*|[.:;] )(?:What|Who|Whoever) (?![^.?]*\?)[^.?]*[a-z][.:]/,
    instead: "name the actor or the thing",
  },
  { pattern: /\b(?:to|by|for|of|with) who\b/i, instead: "name the actor" },
  { pattern: /\bby nobody\b|\bthat nobody (?:sets|knows|has|can)\b/i, instead: "name the actor" },
  { pattern: /\bMOST_[A-Z]/, instead: "call a limit MAX_…, with its unit" },
  {
    pattern: /\b(?:is|are|was|were|be|been|being) told\b/i,
    instead: "say who reports what: dex reports, names, shows",
  },
  { pattern: /\bthe like of\b|\band their like\b/i, instead: 'write "similar …"' },
  { pattern: /\b(?:lies|lie) (?:in|beside|below|under|here|there)\b/i, instead: 'write "is in", "is stored in"' },
  { pattern: /\bstands? (?:beside|behind|before|between|in its place)\b/i, instead: 'write "is next to", "follows"' },
  { pattern: /\bgoes before (?:all|what|that)\b/i, instead: 'write "overrides"' },
  { pattern: /\banew\b/i, instead: 'write "again", or name the action: rebuild, recreate' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'write "fix" or "correct"' },
  {
    pattern: /\bgives? way\b|\bborne out\b|\bunless told\b|\bis dear\b|\bdear to get\b/i,
    instead: "use the plain word",
  },
  { pattern: /\bfor ever\b/i, instead: 'write "forever"' },
  { pattern: /\bagain and again\b/i, instead: 'write "repeatedly", or name the interval' },
  { pattern: /\bhand-?overs?\b(?!`)/i, instead: 'write "handoff"' },
  { pattern: /\btime line\b/i, instead: 'write "timeline"' },
  { pattern: /\b(?:a|one) (?:line|file|row|worker|commit|database|watcher) an? [a-z]+\b/i, instead: 'write "per"' },
  { pattern: /\bare sought\b|\bis sought\b/i, instead: 'write "the answers are"' },
  { pattern: /\bheld against\b/i, instead: 'write "compared with"' },
  { pattern: /\binside of\b|\boutside of\b/i, instead: 'write "inside", "outside"' },
];

/** A space in a pattern also matches the end of a line. */
const SLIPS = LISTED.map(({ pattern, instead }) => ({
  pattern: new RegExp(pattern.source.replaceAll(" ", "\\s+"), `${pattern.flags}g`),
  instead,
}));

/** The slips in a page or a TypeScript file. */
export async function slipsIn(page: Page): Promise<Problem[]> {
  const pieces = page.path.endsWith(".ts") ? await piecesOfCode(page.text) : piecesOfPage(page.text);
  return pieces.flatMap((piece) => SLIPS.flatMap((slip) => problemsOf(page.path, piece, slip)));
}

function problemsOf(path: string, { text, line }: Piece, { pattern, instead }: Slip): Problem[] {
  return [...text.matchAll(pattern)].map((found) => {
    const start = found.index + (/^\s*/.exec(found[0])?.[0].length ?? 0);
    const at = line + text.slice(0, start).split("\n").length - 1;
    return { path, line: at, text: `"${shown(found[0])}": ${instead}` };
  });
}

interface Piece {
  text: string;
  line: number;
}

/** Paragraphs, list items, table rows and headings, without code marks. */
function piecesOfPage(text: string): Piece[] {
  const pieces: Piece[] = [];
  let open: Piece | undefined;
  for (const [i, line] of splitPage(text).prose.entries()) {
    const begins = /^\s*(?:[-*]|\d+\.)\s|^[#|<]/.test(line);
    if (line.trim() === "" || begins) open = undefined;
    if (line.trim() === "") continue;
    if (open) {
      open.text += `\n${line}`;
    } else {
      open = { text: line.replace(/^\s*(?:[-*]|\d+\.)\s+/, ""), line: i + 1 };
      pieces.push(open);
    }
    if (/^[#|<]/.test(line)) open = undefined;
  }
  return pieces.map(({ text, line }) => ({ text: plain(text), line }));
}

async function piecesOfCode(text: string): Promise<Piece[]> {
  return withTree(text, (root) => {
    const pieces: Piece[] = [];
    for (const node of nodesOf(root)) {
      const isText = node.type === "comment" || node.type === "string" || node.type === "template_string";
      if (!isText) continue;
      const bare =
        node.type === "comment" ? node.text.replace(/^\s*\/?\*+\/?|^\/\/|\*\/$/gm, "") : node.text.slice(1, -1);
      pieces.push({ text: plain(bare), line: node.startPosition.row + 1 });
    }
    return pieces;
  });
}

/** Blanks out code and the targets of links, and keeps line ends, which preserves line numbers. */
function plain(text: string): string {
  return text
    .replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, "_"))
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/ *\n */g, "\n");
}

function shown(found: string): string {
  const text = found.replace(/\s+/g, " ").trim();
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
