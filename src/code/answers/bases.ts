/** Methods that the bases of a method's class state under the same name. */
import type { CodeReader, EntityRow } from "../../store/code.ts";

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
