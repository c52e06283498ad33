/** Running a verb, the same for every surface: first the index is brought up to date, then the answer is made. */
import type * as z from "zod";
import type { Dex } from "../dex.ts";
import { corruptIndex, isCorruption } from "../store/sqlite/database.ts";
import type { Operation, RunContext } from "./operation.ts";

export interface RunOptions extends RunContext {
  /** False: answer from the index as it is. */
  sync?: boolean;
}

export async function runOperation<In extends z.ZodObject, Out extends z.ZodType>(
  dex: Dex,
  operation: Operation<In, Out>,
  input: z.output<In>,
  options: RunOptions = {},
): Promise<{ output: z.output<Out>; notice: string | undefined }> {
  try {
    const notice = operation.fresh && options.sync !== false ? await dex.freshen() : undefined;
    return { output: await operation.run(dex, input, options), notice };
  } catch (error) {
    throw isCorruption(error) ? corruptIndex(dex.paths.index, error) : error;
  }
}
