/** "Let's do B": the decision is in the list of options that was offered just before. */

/** A letter or number as the whole choice. */
const PICK =
  /^(?:(?:ok|okay|no|yes|yeah|so|right|alright|fine|then|good|great|and|but|actually|please|let'?s|i(?:'d| would)? (?:prefer|choose|pick|want)|i want to use)[,:.]? )*(?:just )?(?:go (?:for|with|ahead with)|do|take|pick|use)? ?(?:the )?(?:option|variant|approach|direction|proposal|plan|number)? ?#?\(?([a-f]|\d{1,2})\)?(?=[,.!;]|$| (?:then|please|because|since|for now|as)\b)/i;
const OFFERED =
  /^\s*(?:[-*•]\s+|#{1,6}\s+)?(?:\*\*|__)?(?:option|variant|approach|direction|proposal|plan)?\s?\(?([a-f]|\d{1,2})(?:[).:](?:\*\*|__)?|\*\*|\s[—–-])\s+(\S.{7,})$/i;
const CALLED = /^\W*(?:option|variant|approach|direction|proposal|plan)\s/i;
const MAX_OPTION_CHARS = 300;
/**
 * Options with letters are a choice if the message asks any question. Numbered ones may be findings or steps, so the
 * question must ask for a choice.
 */
const ASKS = /\b(?:which|options?|approach(?:es)?|alternatives?|variants?|directions?|prefer|choose|pick)\b[^\n]*\?/i;
/** The end of the message, where the question is. */
const MAX_QUESTION_CHARS = 600;

export function pickedOption(sentence: string): string | undefined {
  return PICK.exec(sentence)?.[1]?.toLowerCase();
}

/** An agent that picks one of its own options: "I'd go with option (b)". */
const OWN_PICK =
  /\b(?:recommend|suggest|propose|prefer|go with|lean (?:toward|towards|to)|pick|choose|chose|went with|agreed on|settled on) (?:the )?(?:(?:option|variant|approach|direction|proposal|plan) )?\(?(?:option )?([a-f]|\d{1,2})\)?(?=[\s,.;!—–-]|$)(?! (?:new|single|small|separate|second|different|more|simple|plain)\b)/i;
/** The text of the option follows, so the letter need not be looked up. */
const OWN_TEXT = /\b(?:option|variant|approach|direction|proposal|plan) \(?[a-f\d]\)?\s?[:(—–]/i;

export function namedOption(sentence: string): string | undefined {
  const [whole = "", name] = OWN_PICK.exec(sentence) ?? [];
  // "a" is an article unless the sentence calls it an option.
  if (name === undefined || OWN_TEXT.test(sentence)) return undefined;
  return /^a$/i.test(name) && !/\(a\)|\b(?:option|variant|approach|direction|proposal|plan) a\b/i.test(whole)
    ? undefined
    : name.toLowerCase();
}

/** The options of a message that asks which one to take, by letter or number. */
export function offeredOptions(text: string): Map<string, string> {
  return text.includes("?") ? optionsIn(text) : new Map<string, string>();
}

/**
 * The options of a message by letter or number. Lines that call themselves options come before other lists; of several
 * lists, the last one is the choice, because the question follows it.
 */
export function optionsIn(text: string): Map<string, string> {
  const called = new Map<string, string>();
  const listed = new Map<string, string>();
  const numbers = ASKS.test(text.slice(-MAX_QUESTION_CHARS));
  for (const line of text.split("\n")) {
    const [, name = "", option = ""] = OFFERED.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === "" || option.endsWith("?")) continue;
    if (CALLED.test(line)) {
      if (!called.has(key)) called.set(key, tidy(option));
      continue;
    }
    if (/\d/.test(key) && !numbers) continue;
    if (key === "1" || key === "a") listed.clear();
    if (!listed.has(key)) listed.set(key, tidy(option));
  }
  // A list of one option is not a choice.
  return [called, listed].find((options) => options.size > 1) ?? new Map();
}

function tidy(option: string): string {
  return option
    .replaceAll("**", "")
    .replace(/^[—–:\s-]+/, "")
    .trim()
    .slice(0, MAX_OPTION_CHARS);
}
