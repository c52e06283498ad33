/** A sentence with whether it tells a decision, and short ways to write one. */
export interface Labelled {
  who: "user" | "assistant" | "commit";
  text: string;
  decision: boolean;
  /** What the person answered next. */
  answer?: string;
}

export const yes = (who: Labelled["who"], text: string, answer?: string): Labelled => ({
  who,
  text,
  decision: true,
  ...(answer === undefined ? {} : { answer }),
});
export const no = (who: Labelled["who"], text: string, answer?: string): Labelled => ({
  ...yes(who, text, answer),
  decision: false,
});
