/**
 * Computes the findings that are too slow for a latency-bound answer: decisions in force and deprecated code in use.
 * They are stored with the history; `stored_findings.ts` reads them.
 */
import type { Dex } from "../../dex.ts";
import { storeDerived } from "../../history/update.ts";
import { DexError } from "../../kernel/errors.ts";
import { decisionsOf } from "../../project/decisions.ts";
import { deprecatedOf } from "../../project/deprecations/cached.ts";
import type { DeprecatedCode } from "../../project/deprecations/deprecations.ts";
import type { OpenRepository } from "../../project/repository.ts";
import { prepareFailingTests } from "../../project/tests/failing.ts";
import { updateWork } from "../../project/work.ts";
import type { RunContext } from "../../run_context.ts";
import type { CodeReader } from "../../store/code.ts";
import { FINDING_KEYS, type Findings, inForce, MAX_STORED_DECISIONS, storedTerms } from "./stored_findings.ts";

const MAX_DEPRECATED = 300;
const MAX_USERS = 50;

/** Computes all findings and stores them for callers that cannot wait. */
export async function computeFindings(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<Findings> {
  const decisions = (await decisionsOf(dex, open, context)).filter(inForce).slice(0, MAX_STORED_DECISIONS);
  await prepareFailingTests(dex, open, graph, context);
  const deprecated = await deprecatedIn(dex, open, graph);
  // Hooks read it straight from its tables.
  await updateWork(dex, open, context);
  const texts: [string, string][] = [
    [FINDING_KEYS.decisions, JSON.stringify(decisions)],
    [FINDING_KEYS.decisionTerms, storedTerms(decisions)],
    [FINDING_KEYS.deprecated, JSON.stringify(deprecated)],
  ];
  if (texts.some(([key, text]) => open.history.getValue(key) !== text)) {
    await storeDerived(open.repository, dex.paths.history, (writer) => {
      for (const [key, text] of texts) writer.setValue(key, text);
      writer.commit();
    });
  }
  return { decisions, deprecated };
}

async function deprecatedIn(dex: Dex, open: OpenRepository, graph: CodeReader | undefined): Promise<DeprecatedCode[]> {
  try {
    const found = (await deprecatedOf(dex, open, graph)).slice(0, MAX_DEPRECATED);
    return found.map((each) => ({ ...each, users: each.users.slice(0, MAX_USERS) }));
  } catch (error) {
    // The tree is too large to search in time, or git is missing: the other findings still count.
    if (error instanceof DexError) return [];
    throw error;
  }
}
