/** The error of a verb that needs the index, while this version of dex cannot read it. */
import { DexError } from "../../kernel/errors.ts";

export function outdatedIndex(): DexError {
  return new DexError(
    "outdated_index",
    "The index was made by another version of dex and has to be rebuilt; run `dex sync`.",
    { exitCode: 1 },
  );
}
