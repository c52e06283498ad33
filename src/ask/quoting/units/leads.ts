/**
 * Finds the unit that introduces another one, which says little by itself: the item above a nested item, the sentence
 * before a list or code, the code in the middle of a sentence, the question that an answer is folded under, the term
 * that a paragraph explains.
 */
import type { Unit } from "./unit.ts";

export function withLeads(units: readonly Unit[]): Unit[] {
  /** The first unit of each block. */
  const firsts = new Map<number, number>();
  /** The list items that may contain the next unit, outermost first. */
  const items: number[] = [];
  /** The last unit of the previous block. */
  let before = -1;
  return units.map((unit, at) => {
    const { kind, block, indent = 0, summary } = unit;
    if (!firsts.has(block)) {
      firsts.set(block, at);
      before = at - 1;
    }
    if (kind !== "item" && indent === 0) items.length = 0;
    while (items.length > 0 && (units[items.at(-1) ?? 0]?.indent ?? 0) >= indent) items.pop();
    const folded = summary === undefined ? undefined : firsts.get(summary);
    const isLed = introduces(units[before], unit) || goesOn(units[before], unit);
    const continued = unit.continues && at > 0 ? startOf(units, at) : undefined;
    const lead = continued ?? items.at(-1) ?? (isLed ? before : folded);
    if (kind === "item") items.push(at);
    return lead === undefined ? unit : { ...unit, lead };
  });
}

/** The unit of the same block at which the run of continuing units up to `at` starts. */
function startOf(units: readonly Unit[], at: number): number | undefined {
  let start = at;
  while (units[start]?.continues && start > 0) start -= 1;
  return start < at && units[start]?.block === units[at]?.block ? start : undefined;
}

function introduces(before: Unit | undefined, { kind, block }: Unit): boolean {
  if (kind === "sentence" || before?.kind !== "sentence" || before.block !== block - 1) return false;
  return kind === "code" || /[:：]$/.test(before.text);
}

/**
 * Whether the unit continues a sentence that code interrupts: "Set:", the code, "in the configuration of the server."
 */
function goesOn(before: Unit | undefined, { kind, block, text }: Unit): boolean {
  return kind === "sentence" && before?.kind === "code" && before.block === block - 1 && /^\p{Ll}/u.test(text);
}
