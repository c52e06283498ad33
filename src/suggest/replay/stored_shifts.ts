/** Reads the shifts that `prepare_shifts.ts` stored with the history: one small row, because hooks read it. */
import { asObject, parseJson } from "../../kernel/json.ts";
import type { HistoryReader } from "../../store/history.ts";
import { type EvidenceKind, JUDGED_KINDS, type KindShifts, SCALE } from "../scale.ts";

export const SHIFTS_KEY = "suggest_shifts";
/** The largest shift: the scale must stay recognisable, however different a project is. */
export const MAX_KIND_SHIFT_LOGITS = 1.5;

/** Empty for a project that was not replayed. */
export function storedShifts(history: Pick<HistoryReader, "getValue">): KindShifts {
  const text = history.getValue(SHIFTS_KEY);
  if (text === undefined) return {};
  const shifts: Partial<Record<EvidenceKind, number>> = {};
  for (const [kind, value] of Object.entries(asObject(parseJson(text)))) {
    if (!isKind(kind) || JUDGED_KINDS.has(kind) || typeof value !== "number" || !Number.isFinite(value)) continue;
    shifts[kind] = Math.max(-MAX_KIND_SHIFT_LOGITS, Math.min(MAX_KIND_SHIFT_LOGITS, value));
  }
  return shifts;
}

export function isKind(name: string): name is EvidenceKind {
  return Object.hasOwn(SCALE, name);
}
