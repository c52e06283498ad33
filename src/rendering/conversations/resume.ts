/** The command that goes on with a conversation, as it can be pasted into a shell. */

import type * as z from "zod";
import type { resume } from "../../operations/conversations/resume.ts";
import { cleanLine } from "../../text/clean.ts";
import { paint, type Terminal } from "../terminal.ts";

type Output = z.output<(typeof resume)["output"]>;

function renderResume(output: Output, terminal: Terminal): string {
  const go = output.folder === null ? "" : `cd ${quoted(output.folder)} && `;
  const line = `${go}${output.command.map(quoted).join(" ")}`;
  // A pipe gets the command alone, so that it can be used.
  if (!terminal.boxes) return line;
  const what = cleanLine(output.title) || output.id;
  return [
    paint(terminal, "dim", output.subagent ? `${what} (it started the subagent)` : what),
    line,
    ...(output.ready ? [paint(terminal, "dim", "--run starts it here")] : []),
  ].join("\n");
}

/** A word as a shell reads it back; control characters cannot be pasted. */
function quoted(word: string): string {
  const clean = cleanLine(word);
  return /^[\w@%+=:,./-]+$/.test(clean) ? clean : `'${clean.replaceAll("'", "'\\''")}'`;
}

export const RESUME_RENDERERS = { resume: renderResume };
