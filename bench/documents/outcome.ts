/** Whether an answer is right: it cites a section that has the answer, and contains its text. */
import type { Answerable } from "./questions.ts";

export type Outcome = "right" | "partly" | "wrong" | "refused" | "answered";

export function outcomeOf(question: Answerable, places: readonly string[], answer: string): Outcome {
  const said = says(question, answer);
  const cited = places.some((place) => isGold(question, place));
  return cited && said ? "right" : cited || said ? "partly" : "wrong";
}

function says({ fact }: Answerable, text: string): boolean {
  const flat = (part: string): string => part.toLowerCase().replace(/\s+/g, " ");
  // A label without marks is the text of the page; one with marks (`5`) must not be found in a longer number.
  const plain = flat(text).replace(/[`*]/g, "");
  return fact.every((texts) => texts.some((each) => [flat(text), plain].some((said) => said.includes(flat(each)))));
}

export function isGold({ gold }: Answerable, place: string): boolean {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[`*_\\]/g, "")
      .replace(/\s+/g, " ")
      .trim();
  const split = (text: string): [string, string] => {
    const at = text.indexOf("#");
    return [text.slice(0, at), plain(text.slice(at + 1))];
  };
  const [path, heading] = split(place);
  return gold.some((each) => {
    const [document, section] = split(each.replaceAll("*", "\u2217"));
    return (document === "\u2217" || document === path) && (section === "\u2217" || section === heading);
  });
}
