/** "Let's do B": what was decided stands in the list that was offered just before. */

/** The letter or number, and nothing but words around it. */
const PICK =
  /^(?:(?:ok|okay|no|yes|yeah|so|right|alright|fine|then|good|great|and|but|actually|please|let'?s|i(?:'d| would)? (?:prefer|choose|pick|want)|i want to use)[,:.]? )*(?:just )?(?:go (?:for|with|ahead with)|do|take|pick|use)? ?(?:the )?(?:option|variant|approach|direction|proposal|plan|number)? ?#?\(?([a-f]|\d{1,2})\)?(?=[,.!;]|$| (?:then|please|because|since|for now|as)\b)/i;
const OFFERED =
  /^\s*(?:[-*•]\s+|#{1,6}\s+)?(?:\*\*|__)?(?:option|variant|approach|direction|proposal|plan)?\s?\(?([a-f]|\d{1,2})(?:[).:](?:\*\*|__)?|\*\*|\s[—–-])\s+(\S.{7,})$/i;
const LONGEST = 300;
/** A list with letters offers a choice where anything is asked; one with numbers may tell findings or steps. */
const ASKS = /\b(?:which|options?|approach(?:es)?|alternatives?|variants?|directions?|prefer|choose|pick)\b[^\n]*\?/i;
const ENDING = 600;

export function pickedOption(sentence: string): string | undefined {
  return PICK.exec(sentence)?.[1]?.toLowerCase();
}

/** What a message offers, by letter or number; the first of each counts. */
export function offeredOptions(text: string): Map<string, string> {
  const options = new Map<string, string>();
  const numbers = ASKS.test(text.slice(-ENDING));
  if (!text.includes("?")) return options;
  for (const line of text.split("\n")) {
    const [, name = "", said = ""] = OFFERED.exec(line) ?? [];
    const key = name.toLowerCase();
    if (/\d/.test(key) && !numbers) continue;
    if (key !== "" && !options.has(key) && !said.endsWith("?"))
      options.set(
        key,
        said
          .replaceAll("**", "")
          .replace(/^[—–:\s-]+/, "")
          .trim()
          .slice(0, LONGEST),
      );
  }
  // A list of one offers no choice.
  return options.size < 2 ? new Map() : options;
}
