/** The status line: one short sentence at a time, which screen readers announce. */
import { signal } from "@preact/signals";

/** A long sentence stays longer: nobody can ask for it again. */
const SHOWN_MS = 4000;
const SHOWN_MS_PER_CHAR = 50;

export const said = signal("");
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a sentence for some seconds: "Link copied." */
export function say(sentence: string): void {
  said.value = sentence;
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      said.value = "";
    },
    SHOWN_MS + SHOWN_MS_PER_CHAR * sentence.length,
  );
}
