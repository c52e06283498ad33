/** The table of quality figures: a row for each measure, a column for each configuration. */
import { markdownTable } from "../lib/markdown_table.ts";
import { bootstrapInterval, groupedMean } from "./bootstrap.ts";
import type { Figure } from "./figures.ts";

/** In percent. Next to every configuration after the base: its difference from the base, with the interval. */
export function qualityTable(names: readonly string[], figures: readonly Figure[], base: number): string {
  const lines = figures.map((figure) => [
    figure.set,
    figure.measure,
    figure.groups.length.toLocaleString("en"),
    ...figure.values.map((own, at) => cellOf(own, at <= base ? undefined : figure.values[base], figure.groups)),
  ]);
  return markdownTable(["set", "measure", "queries", ...names], lines);
}

/** The same queries in an earlier run and in this one, each configuration with itself. */
export function comparisonTable(names: readonly string[], before: readonly Figure[], now: readonly Figure[]): string {
  const lines = now.flatMap(({ set, measure, values, groups }) => {
    const earlier = before.find((figure) => figure.set === set && figure.measure === measure);
    if (earlier?.groups.length !== groups.length) return [];
    const cells = values.map((own, at) => {
      const was = earlier.values[at] ?? [];
      return `${percent(groupedMean(was, groups))} → ${cellOf(own, was, groups)}`;
    });
    return [[set, measure, groups.length.toLocaleString("en"), ...cells]];
  });
  return markdownTable(["set", "measure", "queries", ...names], lines);
}

/** The mean, and its paired difference from `other` with the interval. */
function cellOf(own: readonly number[], other: readonly number[] | undefined, groups: readonly string[]): string {
  const figure = percent(groupedMean(own, groups));
  if (!other) return figure;
  const differences = own.map((value, query) => value - (other[query] ?? 0));
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
