/** The chosen days, as a link that removes the choice. */
import { hrefWith } from "../router.ts";
import { dayOf } from "./format.tsx";
import { chosenPeriod } from "./period.ts";

/** Nothing without a choice. */
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
