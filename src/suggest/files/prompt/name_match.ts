/**
 * Matches a prompt's words with the paths of files, for projects without a code graph. All values are shares, which are
 * comparable between prompts.
 */
import { isTestPath } from "../../../code/test_paths.ts";
import { compareText } from "../../../kernel/text.ts";
import { parseQuery, STOP_WORDS } from "../../../search/query/query.ts";
import { Analyser, SMALL_CAPACITY } from "../../../text/terms/analyser.ts";
import { isAboutTests } from "../tested_file.ts";
import { typedWords } from "./typed_words.ts";

export interface NameMatch {
  /** Its score divided by the best score of any file. */
  share: number;
  /** The share of the name's own words that the prompt has, by their number. */
  name: number;
  /** The rarity of the matched words: a logarithm, about 1 for a word that one of thousands of paths has. */
  rarity: number;
  /** The reciprocal of its rank. */
  rank: number;
  /** The lead of the first file over the second; 0 for others. */
  lead: number;
  /** The matched words as the prompt spells them. */
  words: readonly string[];
}

const MAX_NAME_MATCHES = 30;
/** The weight of a word in a folder's name, relative to one in the file's name. */
const FOLDER_WEIGHT = 0.6;
/** Of files with the same words of the prompt, the one with fewer other words ranks first. */
const OWN_WEIGHT = 0.2;
/** The logarithm of about 3,000 files. */
const RARE = 8;
/** Words up to this length are ignored. */
const MAX_IGNORED_CHARS = 2;
const NO_TERMS = new Set(["test", "spec", "index"]);

/** The best files by the words of their paths, reduced to stems: "cookies" finds `src/utils/cookie.ts`. */
export function nameMatches(
  prompt: string,
  paths: ReadonlySet<string>,
  exists: (path: string) => boolean = () => true,
): Map<string, NameMatch> {
  const asked = askedTerms(prompt);
  if (asked.size === 0) return new Map();
  const { having, counts } = pathsHaving(asked, paths);
  const rarity = (term: string): number => Math.log((1 + paths.size) / (counts.get(term) ?? 1));
  const sum = (terms: readonly string[]): number => terms.reduce((all, term) => all + rarity(term), 0);
  const scored = having.map(({ path, inName, inFolders, terms }) => {
    const fit = sum(inName) + FOLDER_WEIGHT * sum(inFolders);
    const words = [...inName, ...inFolders].flatMap((term) => asked.get(term) ?? []);
    const name = inName.length / Math.max(1, terms);
    return { path, fit, name, words, score: fit + OWN_WEIGHT * name };
  });
  // A test does not displace the file that it tests, unless the prompt is about tests.
  const aboutTests = isAboutTests(prompt);
  const isLater = ({ path }: { path: string }): number => (!aboutTests && isTestPath(path) ? 1 : 0);
  const folders = (path: string): number => path.split("/").length;
  scored.sort(
    (a, b) =>
      isLater(a) - isLater(b) || b.score - a.score || folders(a.path) - folders(b.path) || compareText(a.path, b.path),
  );
  const found = new Map<string, NameMatch>();
  const [first, second] = firstOf(scored, 2, exists);
  for (const [at, { path, score, fit, name, words }] of firstOf(scored, MAX_NAME_MATCHES, exists).entries()) {
    found.set(path, {
      share: Math.min(1, score / (first?.score || 1)),
      name,
      rarity: fit / RARE,
      rank: 1 / (1 + at),
      lead: at === 0 ? Math.max(0, 1 - (second?.score ?? 0) / (score || 1)) : 0,
      words: [...new Set(words)],
    });
  }
  return found;
}

/** The stems of the prompt's significant words, with the words. */
function askedTerms(prompt: string): Map<string, string> {
  const words = parseQuery(prompt)?.words.filter((word) => !STOP_WORDS.has(word.toLowerCase())) ?? [];
  return new Map([...typedWords(words)].filter(([term]) => term.length > MAX_IGNORED_CHARS));
}

interface PathWithTerms {
  path: string;
  /** Terms of the prompt in the name of the file, and in those of its folders only. */
  inName: string[];
  inFolders: string[];
  /** How many terms the name has. */
  terms: number;
}

/** The paths that have terms of the prompt, and in how many each term occurs. */
function pathsHaving(
  asked: ReadonlyMap<string, string>,
  paths: Iterable<string>,
): { having: PathWithTerms[]; counts: Map<string, number> } {
  const analyser = new Analyser(SMALL_CAPACITY);
  const known = new Map<string, readonly string[]>();
  const termsOf = (part: string): readonly string[] => {
    const terms = known.get(part) ?? [...new Set(analyser.words(part))].filter((term) => !NO_TERMS.has(term));
    known.set(part, terms);
    return terms;
  };
  const counts = new Map<string, number>();
  const having: PathWithTerms[] = [];
  for (const path of paths) {
    const end = path.lastIndexOf("/");
    const own = termsOf(path.slice(end + 1).replace(/\.[^.]*$/, ""));
    // `cookie/index.ts` is known by the name of its folder.
    const name = own.length > 0 ? own : termsOf(path.slice(path.lastIndexOf("/", end - 1) + 1, Math.max(0, end)));
    const inName = name.filter((term) => asked.has(term));
    const inFolders = termsOf(path.slice(0, Math.max(0, end))).filter(
      (term) => asked.has(term) && !inName.includes(term),
    );
    if (inName.length + inFolders.length === 0) continue;
    for (const term of [...inName, ...inFolders]) counts.set(term, (counts.get(term) ?? 0) + 1);
    having.push({ path, inName, inFolders, terms: name.length });
  }
  return { having, counts };
}

function firstOf<T extends { path: string }>(
  list: readonly T[],
  limit: number,
  exists: (path: string) => boolean,
): T[] {
  const found: T[] = [];
  for (const each of list) {
    if (found.length === limit) break;
    if (exists(each.path)) found.push(each);
  }
  return found;
}
