/** The rejected alternatives that a sentence names: "luxon instead of moment or dayjs for dates" names moment and dayjs. */

const END =
  "(?=,|;|\\.(?:\\s|$)|$| because| so that| since| due to| to avoid| in order|,? (?:just )?(?:use|call|take) | and (?:add|drop|keep|make|move|remove|replace|switch|use)\\b)";
const NOT_TAKEN: readonly RegExp[] = [
  new RegExp(`\\b(?:instead of|rather than|as opposed to|in place of|decided against)\\s+(.{1,80}?)${END}`, "i"),
  new RegExp(
    `\\b(?:chose|choose|choice is|picked?|take|went with|gone with|go(?:ing)? with|prefer|opted for|recommend)\\b.{1,80}?\\bover\\s+(.{1,80}?)${END}`,
    "i",
  ),
  /\b(?:switch(?:ed)?|move[d]?|migrate[d]?) from\s+(.{1,60}?) to\b/i,
  /\breplaced?\s+(.{1,60}?) (?:with|by)\b/i,
];
/** In a reason, these tell what something else does: "because proxies drop idle connections", "since it is read, not run". */
const NOT_TAKEN_BEFORE_REASON: readonly RegExp[] = [
  new RegExp(`, (?:not|never)\\s+(.{1,80}?)${END}`, "i"),
  new RegExp(`\\bdrop(?:ped)?\\s+(.{1,60}?)(?: in favou?r of|${END})`, "i"),
];
const REASON = /(?<=\S),? (?:because|since|so that|due to)\b.*$/is;
const PRONOUN = /^(?:it|this|that|them|these|those|one|ones|others?|anything|everything|something)$/i;

/** The number that a merge adds to a subject. */
const PULL_REQUEST = /\s*\(#\d+\)\s*$/;

export function alternativesOf(sentence: string): string[] {
  const choice = sentence.replace(REASON, "");
  const phrases = [
    ...NOT_TAKEN.map((cue) => cue.exec(sentence)),
    ...NOT_TAKEN_BEFORE_REASON.map((cue) => cue.exec(choice)),
  ].map((found) => found?.[1]?.replace(PULL_REQUEST, "").trim() ?? "");
  const named = phrases.filter((phrase) => phrase !== "" && !PRONOUN.test(phrase));
  return [...new Set(named.flatMap(namesIn))];
}

const USING = /^(?:using|the use of|importing|installing) (?=[\w@`"'])/i;
/** Code, or one word that can be a name: not an article, a pronoun, a preposition or the verb of a clause. */
const NAME =
  "(?:`[^`]+`|[\"']?(?!(?:an?|the|any|all|some|every|each|both|one|two|another|other|new|old|plain|only|just|this|that|these|those|it|them|our|my|your|its|their|to|from|in|on|at|with|for|by|as)\\b)(?!\\w+(?:ing|ed)\\b)[\\w@][\\w@./+#-]*[\"']?)";
/** Words after a name that do not belong to it: purpose, place, time. */
const DETAIL =
  /^ (?:for|in|on|at|inside|across|throughout|everywhere|here|there|anywhere|when|whenever|where|while|unless|but|yet|again|please|now|this time|any ?more|from now on|going forward)\b/i;
const NAMES = new RegExp(`^${NAME}(?:(?:, | or | and |, or |, and )${NAME})*`, "i");
const EACH = /`[^`]+`|[^\s,]+/g;

/** The names alone, if the phrase is one name or a list of them; otherwise the phrase. */
function namesIn(phrase: string): string[] {
  const plain = phrase.replace(USING, "");
  const names = NAMES.exec(plain)?.[0];
  if (names === undefined) return [plain];
  const rest = plain.slice(names.length);
  if (rest !== "" && !DETAIL.test(rest)) return [plain];
  return (names.match(EACH) ?? []).filter((name) => !/^(?:or|and)$/i.test(name));
}
