/**
 * The first line of every text that dex gives to a model, and the removal of such texts from a prompt. Hosts pass on a
 * prompt together with the texts of earlier hooks (Gemini CLI puts them in front, in `<hook_context>`). If dex mistook
 * them for the user's words, it would answer itself.
 */
import { withoutBlocks, withoutOwnText } from "../../conversations/texts/own_text.ts";

/** `own_text.ts` recognises a head by its first three words, and by the colon at its end. */
export const HEADS = {
  start: "Recorded by dex about this project before this session; each line ends with its source and date:",
  prompt: "Recorded by dex and possibly related to this request; each line ends with its source and date:",
  files: "Recorded by dex about this file; each line ends with its source and date:",
  edit: "Recorded by dex about earlier changes of this file; each line ends with its source and date:",
  command: "Recorded by dex about earlier runs of this command; each line ends with its source and date:",
} as const;

/** Blocks that only hosts and dex write. */
const MACHINE_BLOCKS = ["hook_context", "user-prompt-submit-hook", "session-start-hook", "dex-context", "dex-handoff"];

/** A prompt without the texts that hosts and dex inserted. */
export function withoutInjected(prompt: string): string {
  let text = prompt;
  for (const name of MACHINE_BLOCKS) text = withoutBlocks(text, name);
  return withoutOwnText(text);
}
