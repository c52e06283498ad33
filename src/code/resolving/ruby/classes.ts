/** Methods that every class of Ruby has: `new`, `class` and `superclass`. */
import type { Value } from "../evaluating/values.ts";
import type { DefinitionRef } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";

/** Classes of Ruby itself, to which a project can only add. */
const RUBY_CORE: ReadonlySet<string> = new Set(
  `Array BasicObject Binding Class Complex Date DateTime Dir Encoding Enumerator Exception FalseClass Fiber File Float Hash IO
   Integer MatchData Method Module Mutex NilClass Numeric Object Pathname Proc Process Queue Random Range Rational Regexp Set
   StandardError String StringIO Struct Symbol Thread Time TrueClass UnboundMethod`.split(/\s+/),
);

type Definition = Extract<Value, { kind: "definition" }>;

/**
 * For a class that the project defines and not only reopens: `new` makes an instance, `class` of an instance is the
 * class, `superclass` is its base. A module or a class without a base in the project asks the superclass of what extends
 * it: that may be itself.
 */
export function methodOfClass(
  files: Surfaces,
  bases: (path: string, slot: number) => readonly (Value | undefined)[],
  { path, slot }: DefinitionRef,
  name: string,
): Definition | undefined {
  if (name !== "new" && name !== "class" && name !== "superclass") return undefined;
  const index = files.get(path);
  const entity = index?.family === "ruby" ? index.surface.entities[slot] : undefined;
  const own: Definition = { kind: "definition", path, slot };
  if (name === "superclass" && entity) return bases(path, slot).find((each) => isClass(files, each)) ?? own;
  return entity?.kind === "class" && !RUBY_CORE.has(entity.qualified) ? own : undefined;
}

function isClass(files: Surfaces, value: Value | undefined): value is Definition {
  return value?.kind === "definition" && files.get(value.path)?.surface.entities[value.slot]?.kind === "class";
}
