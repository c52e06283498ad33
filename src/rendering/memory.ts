/** Renders saved memories, packs, summaries and handoffs. */
import type * as z from "zod";
import { agentName } from "../integrations/registry.ts";
import { plural } from "../kernel/text.ts";
import type { Saved, savingOutput } from "../memory/save.ts";
import type { compact } from "../operations/memory/compact.ts";
import type { listedOutput } from "../operations/memory/fields.ts";
import type { unpin } from "../operations/memory/pin.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { paint, type Terminal, when } from "./terminal/terminal.ts";
import { wrap } from "./terminal/width.ts";

type Saving = z.output<typeof savingOutput>;

const MAX_SHOWN_ORIGINS = 3;

function memoryText(saved: Saved, terminal: Terminal): string {
  const { id, kind, text, because, files, global } = saved;
  const about = [id, kind, ...(global ? ["all projects"] : []), ...files, ...originsOf(saved, terminal)];
  const lines = [wrap(cleanLine(text), terminal.width, "")];
  if (because !== null) lines.push(wrap(`because ${cleanLine(because)}`, terminal.width, "  "));
  lines.push(`  ${paint(terminal, "dim", cleanText(about.join(" · ")))}`);
  return lines.join("\n");
}

function originsOf({ saved_by }: Saved, terminal: Terminal): string[] {
  const shown = saved_by.slice(0, MAX_SHOWN_ORIGINS).map(({ by, place, date }) => {
    const where = place === undefined ? "" : ` in ${place}`;
    return `${agentName(by)}${where}, ${when(terminal, date)}`;
  });
  const more = saved_by.length - shown.length;
  return more > 0 ? [...shown, `${more} more`] : shown;
}

function renderSaving({ saved, merged, near, redactions }: Saving, terminal: Terminal): string {
  const head = merged ? `Already saved as ${saved.id}; this origin was added.` : `Saved as ${saved.id}.`;
  const lines = [head, memoryText(saved, terminal)];
  if (redactions > 0)
    lines.push(`${plural(redactions, "secret or private passage", "secrets or private passages")} removed.`);
  if (near.length > 0) {
    lines.push("Similar memories:");
    for (const { id, text } of near) lines.push(`  ${paint(terminal, "dim", id)}  ${cleanLine(text)}`);
  }
  return lines.join("\n");
}

function renderMemories({ memories, total }: z.output<typeof listedOutput>, terminal: Terminal): string {
  if (memories.length === 0) {
    return `No memories found. ${terminal.compact ? "dex_save saves" : "`dex pin` and `dex note` save"} one.`;
  }
  const count = memories.length < total ? `${memories.length} of ${total}` : String(total);
  return [...memories.map((each) => memoryText(each, terminal)), paint(terminal, "dim", `${count} saved`)].join("\n");
}

function renderRemoved({ removed }: z.output<typeof unpin.output>, terminal: Terminal): string {
  return `Removed:\n${memoryText(removed, terminal)}`;
}

/** The text is written for an agent and printed unchanged. */
function renderFramed({ text }: { text: string }): string {
  return text === "" ? "Nothing is known about this project yet." : cleanText(text);
}

function renderCompact(output: z.output<typeof compact.output>, terminal: Terminal): string {
  const { made, unchanged, left, summaries, conversations } = output;
  if (conversations === 0) return "This project has no conversations.";
  if (made === 0) return `Nothing to do: ${plural(unchanged, "summary is", "summaries are")} up to date.`;
  const shown = summaries.map(({ text, engine }) =>
    wrap(`${cleanText(text)}${engine === "model" ? "" : paint(terminal, "dim", " [records]")}`, terminal.width, ""),
  );
  const by = output.engine === "model" ? ` with ${output.model}` : " without a model";
  const more = made > shown.length ? [`… and ${made - shown.length} more`] : [];
  const rest = `${plural(made, "summary", "summaries")} made${by}; ${unchanged} up to date${left > 0 ? `, ${left} left` : ""}.`;
  return [...shown, ...more, paint(terminal, "dim", rest)].join("\n");
}

export const MEMORY_RENDERERS = {
  pack: renderFramed,
  handoff: renderFramed,
  compact: renderCompact,
  pin: renderSaving,
  note: renderSaving,
  save: renderSaving,
  pins: renderMemories,
  notes: renderMemories,
  unpin: renderRemoved,
  "notes rm": renderRemoved,
};
