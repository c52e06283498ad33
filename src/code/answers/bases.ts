/** The members that a class inherits from the classes it extends. */
import type { CodeReader, EntityRow } from "../../store/code.ts";

const MAX_LEVELS = 20;

/** The members of that name that the classes inherit: those of the nearest bases that define it. */
export function inherited(store: CodeReader, classes: readonly EntityRow[], name: string): EntityRow[] {
  const seen = new Set(classes.map(({ no }) => no));
  let level: readonly EntityRow[] = classes;
  for (let i = 0; i < MAX_LEVELS && level.length > 0; i += 1) {
    level = level
      .flatMap(({ no }) => store.outgoing(no, ["EXTENDS", "IMPLEMENTS"]))
      .filter(({ edge, entity }) => edge.resolution !== "ambiguous" && !seen.has(entity.no))
      .map(({ entity }) => entity);
    for (const { no } of level) seen.add(no);
    const found = level.flatMap((base) =>
      store.entities(base.file).filter((each) => each.parent === base.no && each.name === name),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** Methods that the bases of a method's class state under the same name. */
export function statedByBases(store: CodeReader, symbol: EntityRow): EntityRow[] {
  if (symbol.kind !== "method" || symbol.parent === null) return [];
  // A function of an object implements a member itself.
  const stated = store.outgoing(symbol.no, ["IMPLEMENTS"]).filter(({ edge }) => edge.resolution !== "ambiguous");
  const ofOwner = store.outgoing(symbol.parent, ["EXTENDS", "IMPLEMENTS"]).flatMap(({ entity: base, edge }) => {
    if (edge.resolution === "ambiguous") return [];
    return store.entities(base.file).filter((each) => each.parent === base.no && each.name === symbol.name);
  });
  return [...stated.map(({ entity }) => entity), ...ofOwner];
}
