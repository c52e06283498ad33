/** "Let's do B": the decision is in the list of options that was offered just before. */

/** A letter or number as the whole choice. */
const PICK =
  /^(?:(?:ok|okay|no|yes|yeah|so|right|alright|fine|then|good|great|and|but|actually|please|let'?s|i(?:'d| would)? (?:prefer|choose|pick|want)|i want to use)[,:.]? )*(?:just )?(?:go (?:for|with|ahead with)|do|take|pick|use)? ?(?:the )?(?:option|variant|approach|direction|proposal|plan|number)? ?#?\(?([a-f]|\d{1,2})\)?(?=[,.!;]|$| (?:then|please|because|since|for now|as)\b)/i;
const OFFERED =
  /^\s*(?:[-*•]\s+|#{1,6}\s+)?(?:\*\*|__)?(?:option|variant|approach|direction|proposal|plan)?\s?\(?([a-f]|\d{1,2})(?:[).:](?:\*\*|__)?|\*\*|\s[—–-])\s+(\S.{7,})$/i;
const MAX_OPTION_CHARS = 300;
/** A list with letters is a choice if it comes with any question; one with numbers may be findings or steps. */
const ASKS = /\b(?:which|options?|approach(?:es)?|alternatives?|variants?|directions?|prefer|choose|pick)\b[^\n]*\?/i;
/** The end of the message, where the question is. */
const MAX_QUESTION_CHARS = 600;

export function pickedOption(sentence: string): string | undefined {
  return PICK.exec(sentence)?.[1]?.toLowerCase();
}

/** The options of a message by letter or number; the first of each counts. */
export function offeredOptions(text: string): Map<string, string> {
  const options = new Map<string, string>();
  const numbers = ASKS.test(text.slice(-MAX_QUESTION_CHARS));
  if (!text.includes("?")) return options;
  for (const line of text.split("\n")) {
    const [, name = "", option = ""] = OFFERED.exec(line) ?? [];
    const key = name.toLowerCase();
    if (/\d/.test(key) && !numbers) continue;
    if (key !== "" && !options.has(key) && !option.endsWith("?"))
      options.set(
        key,
        option
          .replaceAll("**", "")
          .replace(/^[—–:\s-]+/, "")
          .trim()
          .slice(0, MAX_OPTION_CHARS),
      );
  }
  // A list of one option is not a choice.
  return options.size < 2 ? new Map() : options;
}
