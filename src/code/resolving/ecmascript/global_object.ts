/** TypeScript: the global object of a browser, to which files of the project add members: `interface Window { api: Api }`. */
import { OUTSIDE, type Value } from "../evaluating/values.ts";
import type { WholeProject } from "../project/project_files.ts";

const NAMES: ReadonlySet<string> = new Set(["window", "globalThis"]);
const TYPE = "Window";
/** Files that may add to it. */
const MAX_PARTS = 20;

/** Everything else that the object has is the library's. */
export function globalObject(name: string, named: WholeProject["named"]): Value {
  if (!NAMES.has(name)) return OUTSIDE;
  const declared = named(TYPE).filter(
    ({ family, kind, exported, member }) => family === "ecmascript" && kind === "interface" && !exported && !member,
  );
  // Those of one file are one type.
  const [first, ...others] = [...new Map(declared.map((each) => [each.path, each])).values()]
    .slice(0, MAX_PARTS)
    .map(({ path, slot }): Extract<Value, { kind: "instance" }> => ({ kind: "instance", path, slot, of: [] }));
  return first ? { ...first, also: [...others, OUTSIDE] } : OUTSIDE;
}
