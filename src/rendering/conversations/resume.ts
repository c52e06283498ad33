/** Renders the command that continues a conversation, ready to be pasted into a shell. */
import type * as z from "zod";
import { shellWord } from "../../kernel/text.ts";
import type { resume } from "../../operations/conversations/resume.ts";
import { cleanLine } from "../../text/clean.ts";
import { paint, type Terminal } from "../terminal/terminal.ts";

type Output = z.output<(typeof resume)["output"]>;

function renderResume(output: Output, terminal: Terminal): string {
  const go = output.folder === null ? "" : `cd ${quoted(output.folder)} && `;
  const line = `${go}${output.command.map(quoted).join(" ")}`;
  // A pipe gets only the command, so that a script can run it.
  if (!terminal.boxes) return line;
  const what = cleanLine(output.title) || output.id;
  return [
    paint(terminal, "dim", output.subagent ? `${what} (it started the subagent)` : what),
    line,
    ...(output.ready ? [paint(terminal, "dim", "--run starts it here")] : []),
  ].join("\n");
}

/** Without control characters, which cannot be pasted. */
function quoted(word: string): string {
  return shellWord(cleanLine(word));
}

export const RESUME_RENDERERS = { resume: renderResume };
