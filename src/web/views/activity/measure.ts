/** The measures of a day or a row. */
export const MEASURES = ["messages", "tokens", "conversations"] as const;
export type Measure = (typeof MEASURES)[number];

export function isMeasure(name: string): name is Measure {
  return (MEASURES as readonly string[]).includes(name);
}
