/** The reasons for a predicted file, in words. */
import { formatCount } from "../../kernel/text.ts";
import type { FileEvidence } from "./features.ts";
import { WEIGHTS } from "./weights.ts";

/** Weaker reasons are left out. */
const MIN_WEIGHT = 0.05;
/** Files that co-change this often without an import have a hidden coupling. */
const HIDDEN_SUPPORT = 3;
const HIDDEN_CONFIDENCE = 0.3;

function shareOf(some: number, all: number, what: string): string {
  if (all === 1) return `the ${what}`;
  return `${some === all ? `all ${formatCount(all)}` : `${formatCount(some)} of the ${formatCount(all)}`} ${what}s`;
}

/** `inGraph`: the code graph contains the file. */
export function reasonsFor({ path, ties, stats, features }: FileEvidence, inGraph: boolean): string[] {
  const found: { text: string; weight: number }[] = [];
  const { support, confidence, usual } = stats.of(path);
  const add = (condition: boolean, weight: number, text: string): void => {
    if (condition) found.push({ text, weight });
  };
  const imports = (ties?.imported || ties?.importer) ?? false;
  if (support > 0) {
    const what = stats.conversations ? "conversation" : "commit";
    const verb = stats.conversations ? "edited" : "changed";
    const all = Math.max(support, Math.round(support / confidence));
    add(true, 1 + confidence, `also ${verb} in ${shareOf(support, all, what)} that ${verb} it`);
    const hidden = inGraph && !imports && features.tests === 0 && features.tested === 0;
    add(
      hidden && support >= HIDDEN_SUPPORT && confidence >= HIDDEN_CONFIDENCE,
      0.9,
      "changes with it though neither imports the other",
    );
  }
  add((ties?.tests ?? 0) > 0, WEIGHTS.tests + 0.6, "tests it");
  add((ties?.tested ?? 0) > 0, WEIGHTS.tested + 0.6, "tested by it");
  add(ties?.imported ?? false, WEIGHTS.imported + 0.3, "imported by it");
  add(ties?.importer ?? false, WEIGHTS.importer + 0.3, "imports it");
  add((ties?.documents ?? 0) > 0, WEIGHTS.documents + 0.3, "is a document that mentions it");
  add((ties?.documented ?? 0) > 0, WEIGHTS.documents + 0.3, "is mentioned in it");
  add(features.stem > 0, WEIGHTS.stem + 0.2, "has the same name");
  add(ties?.sameFolder ?? false, 0.1, "is in the same folder");
  add(features.near > 0.2, 0.08 * features.near, "is near in the graph");
  add(support === 0 && usual >= 0.15, 0.4 * usual, "is changed often at the moment");
  return found
    .filter(({ weight }) => weight >= MIN_WEIGHT)
    .sort((a, b) => b.weight - a.weight)
    .map(({ text }) => text);
}
