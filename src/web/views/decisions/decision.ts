import type { OperationOutput } from "../../../operations/by_name.ts";

/** A decision as the board shows it. */
export type Decision = OperationOutput<"decisions">["decisions"][number];
