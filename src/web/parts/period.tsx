/**
 * The days that a person chose, with the brush of the timeline or elsewhere. They are part of the address (`from`, `to`),
 * and the navigation carries them from view to view.
 */
import { hrefWith, param } from "../router.ts";
import { dayOfTime, isDay } from "./days.ts";
import { dayOf } from "./format.tsx";

export interface Period {
  from?: string;
  to?: string;
}

export function chosenPeriod(): Period {
  const [from, to] = [param("from"), param("to")];
  return { ...(isDay(from) ? { from } : {}), ...(isDay(to) ? { to } : {}) };
}

export function isInPeriod({ from, to }: Period, time: string): boolean {
  const day = dayOfTime(time);
  return (from === undefined || day >= from) && (to === undefined || day <= to);
}

/** The chosen days, as a link that removes the choice; nothing without a choice. */
export function PeriodChip() {
  const { from, to } = chosenPeriod();
  if (from === undefined && to === undefined) return null;
  const days =
    from === undefined ? `until ${dayOf(to ?? "")}` : to === undefined ? `since ${dayOf(from)}` : between(from, to);
  return (
    <a
      class="chip chip-on"
      href={hrefWith({ from: "", to: "", n: "", page: "" })}
      aria-label={`All times, not ${days}`}
    >
      {days} ×
    </a>
  );
}

function between(from: string, to: string): string {
  return from === to ? `only ${dayOf(from)}` : `${dayOf(from)} to ${dayOf(to)}`;
}
