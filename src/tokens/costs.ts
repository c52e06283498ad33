/** The automaton with what each of its cells costs, in hundredths of a token. Made once, when something is counted. */
import { type Automaton, buildAutomaton } from "./automaton.ts";
import { CELL_GROUPS, type CellGroup } from "./cells.ts";
import { CELL_WEIGHTS, KIND_FACTORS } from "./weights.ts";

export type TextKind = "text" | "thinking" | "tool_call" | "tool_result";

/** A long text is read in parts, so that it is not copied whole; a word cut in two costs a token in 16,000. */
export const PART_CHARS = 1 << 16;

let automaton: Automaton | undefined;

export function costAutomaton(): Automaton {
  automaton ??= buildAutomaton(
    Int16Array.from(Object.keys(CELL_GROUPS).flatMap((group) => CELL_WEIGHTS[group as CellGroup])),
  );
  return automaton;
}

/** The tokens of a text that is not empty. */
export function tokensOf(hundredths: number, kind: TextKind = "text"): number {
  return Math.max(1, Math.round((hundredths * KIND_FACTORS[kind]) / 100));
}
