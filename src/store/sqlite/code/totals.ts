/**
 * The totals of a code store, updated with every write: counting every edge takes longer than reading a changed file.
 */
import { type CodeTotals, ENTITY_KINDS, type EntityKind, RELATIONS, RESOLUTIONS } from "../../code.ts";

export class TotalsKeeper {
  readonly #totals: CodeTotals;

  /** Continues from these. */
  constructor(totals: CodeTotals) {
    this.#totals = structuredClone(totals);
  }

  file(language: string, by: 1 | -1): void {
    this.#totals.files += by;
    add(this.#totals.languages, language, by);
  }

  entities(kind: EntityKind, by: number): void {
    add(this.#totals.entities, kind, by);
    if (kind !== "file") add(this.#totals.relations, "CONTAINS", by);
  }

  /** By their numbers in the store. */
  edges(relation: number, resolution: number, by: number): void {
    add(this.#totals.relations, RELATIONS[relation] ?? "", by);
    add(this.#totals.resolutions, RESOLUTIONS[resolution] ?? "", by);
  }

  unresolved(names: number, imports: number): void {
    this.#totals.unresolved += names;
    this.#totals.unresolved_imports += imports;
  }

  /** In the order of a fresh count. */
  totals(): CodeTotals {
    const { entities, relations, resolutions, languages } = this.#totals;
    const used = Object.entries(languages).filter(([, count]) => count > 0);
    return {
      ...this.#totals,
      entities: inOrder(ENTITY_KINDS, entities),
      relations: inOrder(RELATIONS, relations),
      resolutions: inOrder(RESOLUTIONS, resolutions),
      languages: Object.fromEntries(used.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))),
    };
  }
}

function add(counts: Partial<Record<string, number>>, key: string, by: number): void {
  counts[key] = (counts[key] ?? 0) + by;
}

function inOrder<T extends string>(
  names: readonly T[],
  counts: Partial<Record<T, number>>,
): Partial<Record<T, number>> {
  const found: Partial<Record<T, number>> = {};
  for (const name of names) if ((counts[name] ?? 0) > 0) found[name] = counts[name];
  return found;
}
