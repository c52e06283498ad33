/** The table of quality figures: a row for each measure, a column for each configuration. */
import { bootstrapInterval, groupedMean } from "./bootstrap.ts";
import type { Figure } from "./figures.ts";

/** In percent. Next to every configuration after the base: its difference from the base, with the interval. */
export function qualityTable(names: readonly string[], figures: readonly Figure[], base: number): string {
  const head = ["set", "measure", "queries", ...names];
  const lines = figures.map((figure) => [
    figure.set,
    figure.measure,
    figure.groups.length.toLocaleString("en"),
    ...figure.values.map((_, at) => cellOf(figure, at, base)),
  ]);
  const widths = head.map((name, column) => Math.max(name.length, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...lines.map(line)].join("\n");
}

function cellOf({ values, groups }: Figure, at: number, base: number): string {
  const own = values[at] ?? [];
  const figure = percent(groupedMean(own, groups));
  const compared = values[base] ?? [];
  if (at <= base) return figure;
  const differences = own.map((value, query) => value - (compared[query] ?? 0));
  const { low, high } = bootstrapInterval(differences, groups);
  return `${figure} (${signed(groupedMean(differences, groups))}: ${signed(low)} to ${signed(high)})`;
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}

function signed(value: number): string {
  const text = percent(Math.abs(value));
  if (text === "0.0") return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}
