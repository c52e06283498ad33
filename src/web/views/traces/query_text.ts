/** The query of a trace as one line. */
import type { OperationOutput } from "../../../operations/by_name.ts";

type Trace = OperationOutput<"traces">["traces"][number];

export function queryOf({ query, query_hash, args }: Trace): string {
  if (query) return query;
  if (query_hash) return "(only the hash of the query was kept)";
  return Object.entries(args)
    .filter(([, value]) => typeof value !== "object")
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(", ");
}
