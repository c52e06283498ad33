/**
 * The days that a person chose, with the brush of the timeline or elsewhere. They are part of the address (`from`, `to`),
 * and the navigation carries them from view to view.
 */
import { param } from "../router.ts";
import { dayOfTime, isDay } from "./days.ts";

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
