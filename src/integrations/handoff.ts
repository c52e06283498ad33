/** How another agent continues a conversation: how a prompt names a file, and how a session is resumed. */
import type { Handoff, Integration } from "./integration.ts";

/** An agent that a conversation can be handed to. */
export interface HandoffTarget extends Pick<Integration, "id" | "name" | "aliases"> {
  handoff: Handoff;
}

/** Represents every agent that dex does not know, and a person. */
export const ANY_AGENT: HandoffTarget = { id: "any", name: "any agent", aliases: ["other", "human"], handoff: {} };

/**
 * A path in the form in which a prompt names a file. A path with a space gets no prefix, because agents would end it at
 * the space.
 */
export function fileReference({ handoff: { filePrefix = "" } }: HandoffTarget, path: string): string {
  return /\s/.test(path) ? path : `${filePrefix}${path}`;
}

/** The command that resumes a session of this agent. `origin`: the file it was read from, if known. */
export function resumeWords(
  { handoff: { resume, elsewhere } }: HandoffTarget,
  id: string,
  origin?: string,
): string[] | undefined {
  // An id that looks like an option, or like more than one word, is not passed to another program.
  if (!resume || !/^\w[\w-]*$/.test(id)) return undefined;
  return origin !== undefined && elsewhere?.test(origin) ? undefined : [...resume, id];
}

/** The same command as one line. */
export function resumeCommand(target: HandoffTarget, id: string): string | undefined {
  return resumeWords(target, id)?.join(" ");
}
