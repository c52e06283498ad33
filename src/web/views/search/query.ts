/** The search as its address states it, and as the verb takes it. */
import type { OperationInput } from "../../../operations/by_name.ts";
import { lastDay } from "../../parts/counts.ts";
import { chosenPeriod } from "../../parts/period.ts";
import { param } from "../../router.ts";

export const KINDS = {
  all: "Everything",
  conversations: "Conversations",
  documents: "Documents",
  code: "Code",
} as const;
export type Kind = keyof typeof KINDS;
export const PAGE_SIZE = 20;
export const MAX_SHOWN = 400;

/** The parameters that narrow a search. */
export const FILTERS = ["source", "project", "month", "role"] as const;
export type Filter = (typeof FILTERS)[number];
const ROLES = ["user", "assistant", "tool", "system"] as const;

export function kindOfSearch(): Kind {
  const kind = param("in");
  return Object.hasOwn(KINDS, kind) ? (kind as Kind) : "all";
}

/** How many results the address asks for. */
export function shownCount(): number {
  const count = Number(param("n"));
  return Number.isInteger(count) && count > 0 ? Math.min(count, MAX_SHOWN) : PAGE_SIZE;
}

/** Undefined without a query. */
export function searchInput(typed: string): OperationInput<"search"> | undefined {
  const query = typed.trim();
  if (query === "") return undefined;
  const kind = kindOfSearch();
  const month = /^\d{4}-\d{2}$/.exec(param("month"))?.[0];
  const role = ROLES.find((name) => name === param("role"));
  return {
    query,
    in: kind,
    limit: shownCount(),
    ...(kind === "all" || kind === "conversations" ? { facets: true } : {}),
    ...(param("source") ? { source: param("source") } : {}),
    ...(param("project") ? { project: param("project") } : {}),
    ...(month ? { from: `${month}-01`, to: lastDay(month) } : chosenPeriod()),
    ...(role ? { role } : {}),
  };
}
