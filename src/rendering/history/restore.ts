/** Renders a restored file, or the list of its versions. */
import type * as z from "zod";
import { formatCount, plural } from "../../kernel/text.ts";
import type { restore } from "../../operations/history/restore.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Terminal, when } from "../terminal/terminal.ts";
import { fit } from "../terminal/width.ts";

type Restored = z.output<(typeof restore)["output"]>;

export function renderRestore(output: Restored, terminal: Terminal): string {
  if (output.written !== undefined) {
    return `${cleanText(output.file)} as of ${output.version?.address ?? ""} was written to ${cleanText(output.written)}.`;
  }
  // The last newline is printed by the caller.
  if (output.versions === undefined) return cleanText(output.text ?? "").replace(/\n$/, "");
  const lines = output.versions.map(({ address, time, how, known, why, bytes, title }) => {
    const state = known ? (bytes === undefined ? "deleted" : `${formatCount(bytes)} bytes`) : `unknown: ${why ?? ""}`;
    const head = `${when(terminal, time)}  ${paint(terminal, "cyan", address)} ${how}, ${cleanText(state)}`;
    return `${head}\n    ${paint(terminal, "dim", cleanText(fit(title, terminal.width - 4)))}`;
  });
  const total = output.total ?? lines.length;
  const shown = lines.length < total ? `${lines.length} of ${plural(total, "version")}` : plural(total, "version");
  return [paint(terminal, "bold", cleanText(output.file)), ...lines, paint(terminal, "dim", shown)].join("\n");
}
