/**
 * Parses which option a sentence adopts and which it drops: "use A instead of B", "replace B with A", "move from B to
 * A", "remove B". A later sentence that swaps the two contradicts a decision.
 */

export interface Choice {
  adopts: string | undefined;
  drops: string | undefined;
  /** It returns to an option that was used before. */
  goesBack?: boolean;
}

const MAX_SENTENCE_CHARS = 400;
const END =
  "(?=[.,;:!?](?:\\s|$)| because\\b| so\\b| since\\b| due to\\b| to\\b| for\\b| in\\b| on\\b| as\\b| when\\b| where\\b| and\\b| \\(| [—–-] |$)";
const SIDE = "(.{1,100}?)";

/** The first pattern that matches decides; `adoptedFirst` tells which of the two options its first group is. */
const TWO_SIDED: readonly { cue: RegExp; adoptedFirst: boolean }[] = [
  { cue: new RegExp(`\\breplac(?:e[sd]?|ing) ${SIDE} (?:with|by) ${SIDE}${END}`, "i"), adoptedFirst: false },
  {
    cue: new RegExp(`\\b(?:switch|migrat|mov)(?:e[sd]?|ed|ing)? (?:away )?from ${SIDE} to ${SIDE}${END}`, "i"),
    adoptedFirst: false,
  },
  {
    cue: new RegExp(
      `\\b(?:remov|dropp?|delet|retir|abandon|avoid)(?:e[sd]?|ed|ing)? ${SIDE} (?:in favou?r of|and use) ${SIDE}${END}`,
      "i",
    ),
    adoptedFirst: false,
  },
  {
    cue: new RegExp(`^instead of ${SIDE},? (?:we )?(?:now )?(?:use|call|take) ${SIDE}${END}`, "i"),
    adoptedFirst: false,
  },
  {
    cue: new RegExp(
      `\\b(?:us(?:e[sd]?|ing)|prefer|chose|choose|keep|kept|pick(?:ed)?|adopt(?:ed)?|go(?:ing)? with|went with|switch(?:ed)? to|move[d]? to|opt(?:ed)? for|make|store) ${SIDE},? (?:instead of|rather than|in place of|over|,? not) ${SIDE}${END}`,
      "i",
    ),
    adoptedFirst: true,
  },
  // Any other imperative: "Split by tenant instead of adding a column".
  {
    cue: new RegExp(
      `^[a-z]+ (?:to |on |with |by )?${SIDE},? (?:instead of|rather than|in place of) ${SIDE}${END}`,
      "i",
    ),
    adoptedFirst: true,
  },
];
const DROPS = new RegExp(
  `^(?:we )?(?:remov|dropp?|delet|retir|deprecat|stopp? us)(?:e[sd]?|ed|ing)? (?:support for |the use of )?${SIDE}${END}`,
  "i",
);
/** "We went back to A", with or without "from B". */
const BACK = new RegExp(
  `\\b(?:go|goes|went|gone|going|switch(?:ed|ing)?|mov(?:e|ed|ing)|revert(?:ed|ing)?|return(?:ed|ing)?|chang(?:e|ed|ing)) back (?:from ${SIDE} )?to (?:using )?${SIDE}(?: from ${SIDE})?${END}`,
  "i",
);
/** Every sentence with a choice has one of these words; the others are not parsed. */
const CHOICE_WORDS =
  /\b(?:replac|switch|migrat|mov|remov|drop|delet|retir|deprecat|stop|instead|rather|prefer|over|not|back)/i;

export function choiceIn(sentence: string): Choice | undefined {
  if (sentence.length > MAX_SENTENCE_CHARS || !CHOICE_WORDS.test(sentence)) return undefined;
  const plain = sentence.replace(/\s*\((?:#\d+|[^)]{0,40}#\d+)\)/g, "").trim();
  const [, from, to, since] = BACK.exec(plain) ?? [];
  if (to !== undefined) return { adopts: termOf(to), drops: termOf(from ?? since ?? "") || undefined, goesBack: true };
  for (const { cue, adoptedFirst } of TWO_SIDED) {
    const [, first, second] = cue.exec(plain) ?? [];
    const [adopts, drops] = (adoptedFirst ? [first, second] : [second, first]).map((side) => termOf(side ?? ""));
    if (adopts && drops) return { adopts, drops };
  }
  const drops = termOf(DROPS.exec(plain)?.[1] ?? "");
  return drops === "" ? undefined : { adopts: undefined, drops };
}

/** An option without articles, quotation marks, calls, and generic nouns such as "library". */
export function termOf(side: string): string {
  return side
    .replace(/[`"'“”‘’*]/g, "")
    .replace(/\(\)/g, "")
    .toLowerCase()
    .replace(
      /^(?:(?:the|a|an|our|its|all|any|new|old|current|existing|deprecated|legacy|native|custom|own|just) )+/,
      "",
    )
    .replace(/(?: (?:dependency|library|package|module|function|method|helper|instead))+$/, "")
    .trim();
}

const MIN_PART_CHARS = 4;

/** Equal, or one contains the other as whole words: "regexp" and "regexp tests" match, `parse` and `parser` do not. */
export function sameTerm(a: string | undefined, b: string | undefined): boolean {
  if (!a || !b) return false;
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= MIN_PART_CHARS && ` ${long} `.includes(` ${short} `);
}

/**
 * Whether a term names something specific (a package, a name of code, a version) and not a common word with many
 * meanings.
 */
export function isSpecific(term: string): boolean {
  return /[^\p{L}\s]/u.test(term);
}
