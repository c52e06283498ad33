/** The status line: one short sentence at a time, which screen readers announce. */
import { signal } from "@preact/signals";

const SHOWN_MS = 4000;

export const said = signal("");
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a sentence for a few seconds: "Link copied." */
export function say(sentence: string): void {
  said.value = sentence;
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = "";
  }, SHOWN_MS);
}
