/** Renders the evidence in a score, for explanations. */

/** The meaning of each kind of evidence. */
const EVIDENCE = {
  together: "the words stand together",
  near: "many of the words in one place",
  written: "the words as typed",
  meaning: "a message of similar meaning",
  here: "in the current project",
  own: "the conversation that is searching",
} as const;

export function evidenceText(evidence: readonly { name: keyof typeof EVIDENCE; part: number }[]): string {
  return evidence
    .map(({ name, part }) => ` ${part < 0 ? "−" : "+"} ${Math.abs(part).toFixed(2)} (${EVIDENCE[name]})`)
    .join("");
}
