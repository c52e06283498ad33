/** Renders the answers about adding, syncing, packing and trusting collections. */
import type * as z from "zod";
import { formatBytes, formatTokens, plural } from "../../kernel/text.ts";
import type { docsAdd } from "../../operations/docs/collections/add.ts";
import type { docsPack } from "../../operations/docs/collections/pack.ts";
import type { docsRemove } from "../../operations/docs/collections/remove.ts";
import type { docsSync } from "../../operations/docs/collections/sync.ts";
import type { trust } from "../../operations/docs/collections/trust.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Terminal } from "../terminal/terminal.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;
type Collection = Output<typeof docsSync>["collections"][number];

const MAX_LISTED_FILES = 20;

function renderAdd(output: Output<typeof docsAdd>, terminal: Terminal): string {
  const where = output.origin === "global" ? "for every project" : "for this project";
  return [
    `Added ${paint(terminal, "cyan", output.name)} ${where}, in ${cleanText(output.file)}`,
    ...collectionLines(output.collection, terminal),
  ].join("\n");
}

function renderSync(output: Output<typeof docsSync>, terminal: Terminal): string {
  if (output.collections.length === 0) return "There are no collections here; `dex docs add` creates one.";
  const lines = output.collections.flatMap((each) => collectionLines(each, terminal));
  if (!output.complete)
    lines.push(
      paint(terminal, "yellow", "Incomplete: documents that could not be fetched keep their earlier version."),
    );
  return lines.join("\n");
}

function collectionLines(each: Collection, terminal: Terminal): string[] {
  const name = paint(terminal, "bold", each.name);
  if (each.error) {
    const hint = each.error.hint ? [`  ${cleanText(each.error.hint)}`] : [];
    return [`${name}: ${paint(terminal, "red", cleanText(each.error.message))}`, ...hint];
  }
  const counts = [
    `${each.added} added`,
    `${each.changed} changed`,
    `${each.removed} removed`,
    `${each.unchanged} unchanged`,
    ...(each.failed.length > 0 ? [paint(terminal, "red", `${each.failed.length} failed`)] : []),
    ...(each.skipped.length > 0 ? [`${each.skipped.length} skipped`] : []),
    ...(each.redactions > 0 ? [`${plural(each.redactions, "secret")} redacted`] : []),
  ];
  return [
    `${name}: ${counts.join(", ")}`,
    ...packageLines(each, terminal),
    ...problemLines(each.failed, terminal, "red"),
    ...problemLines(each.skipped, terminal, "dim"),
    ...problemLines(each.notes, terminal, "dim"),
  ];
}

function packageLines({ package: about }: Collection, terminal: Terminal): string[] {
  if (!about) return [];
  const parts = about.parts.map(({ from, place, documents, tokens, note, failed }) => {
    const size = `${plural(documents, "document")}, ${formatTokens(tokens)} tokens`;
    return `  ${from} ${cleanText(place)}: ${size}${note && !failed ? `; ${cleanText(note)}` : ""}`;
  });
  const advice = about.advice ? [paint(terminal, "yellow", `  ${cleanText(about.advice)}`)] : [];
  return [`  ${about.name} ${about.version}`, ...parts.map((part) => paint(terminal, "dim", part)), ...advice];
}

function problemLines(list: Collection["failed"], terminal: Terminal, style: "red" | "dim"): string[] {
  const lines = list
    .slice(0, MAX_LISTED_FILES)
    .map(({ path, error }) => paint(terminal, style, `  ${cleanText(path)}: ${cleanText(error)}`));
  const more = list.length - MAX_LISTED_FILES;
  return more > 0 ? [...lines, `  … and ${more} more`] : lines;
}

function renderRemove(output: Output<typeof docsRemove>): string {
  return output.removed
    .map(({ name, file, dropped }) => `Removed ${name} from ${cleanText(file)}${dropped ? "" : "; its index is kept"}`)
    .join("\n");
}

function renderPack(output: Output<typeof docsPack>, terminal: Terminal): string {
  const secrets = output.redactions > 0 ? `; ${plural(output.redactions, "secret")} redacted` : "";
  return [
    `Packed ${plural(output.files, "document")} as ${cleanText(output.file)} (${formatBytes(output.bytes)}${secrets})`,
    ...problemLines(output.skipped, terminal, "dim"),
  ].join("\n");
}

const TRUST_TEXTS: Readonly<Record<Output<typeof trust>["files"][number]["status"], string>> = {
  trusted: "trusted in its current form",
  already_trusted: "already trusted",
  untrusted: "not trusted",
  nothing_to_trust: "does not point outside the project",
  distrusted: "no longer trusted",
};

function renderTrust(output: Output<typeof trust>, terminal: Terminal): string {
  return output.files
    .flatMap(({ path, status, outside }) => [
      `${paint(terminal, "bold", cleanText(path))}: ${TRUST_TEXTS[status]}`,
      ...outside.map(({ name, source }) => `  ${cleanText(name)} → ${cleanText(source)}`),
    ])
    .join("\n");
}

export const COLLECTION_RENDERERS = {
  "docs add": renderAdd,
  "docs sync": renderSync,
  "docs remove": renderRemove,
  "docs pack": renderPack,
  trust: renderTrust,
};
