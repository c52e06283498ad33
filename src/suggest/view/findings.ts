/**
 * Computes the findings that are too slow for a latency-bound answer: decisions in force and deprecated code in use.
 * They are stored with the history; `stored_findings.ts` reads them.
 */

import type { Dex } from "../../dex.ts";
import { findDeprecations, usersByText } from "../../history/deprecations.ts";
import { withHistoryWriter } from "../../history/update.ts";
import { DexError } from "../../kernel/errors.ts";
import { usersInGraph } from "../../project/code.ts";
import { decisionsOf } from "../../project/decisions.ts";
import { prepareFailingTests } from "../../project/failing.ts";
import type { OpenRepository } from "../../project/repository.ts";
import { testsOf } from "../../project/tests.ts";
import type { RunContext } from "../../run_context.ts";
import type { CodeReader } from "../../store/code.ts";
import type { DeprecatedUse } from "../evidence.ts";
import { termIndex } from "../words.ts";
import { decisionText, FINDING_KEYS, type Findings, inForce, MAX_STORED_DECISIONS } from "./stored_findings.ts";

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
  // Refreshes the test outcomes found in conversations.
  await testsOf(dex, open, context);
  await prepareFailingTests(dex, open);
  const deprecated = await deprecatedIn(open, graph);
  const texts: [string, string][] = [
    [FINDING_KEYS.decisions, JSON.stringify(decisions)],
    [FINDING_KEYS.decisionTerms, JSON.stringify(termIndex(decisions, decisionText))],
    [FINDING_KEYS.deprecated, JSON.stringify(deprecated)],
  ];
  if (texts.some(([key, text]) => open.history.getValue(key) !== text)) {
    await withHistoryWriter(open.repository, dex.paths.history, (writer) => {
      for (const [key, text] of texts) writer.setValue(key, text);
      writer.commit();
    });
  }
  return { decisions, deprecated };
}

async function deprecatedIn(open: OpenRepository, graph: CodeReader | undefined): Promise<DeprecatedUse[]> {
  const { repository } = open;
  try {
    const found = (await findDeprecations(repository)).slice(0, MAX_DEPRECATED);
    const names = found.flatMap(({ symbol }) => symbol ?? []);
    const users = await usersByText(repository, names);
    return found.flatMap((each): DeprecatedUse[] => {
      const { symbol, file, line, message } = each;
      if (symbol === undefined) return [];
      const byText = users.get(symbol) ?? [];
      const byGraph = graph && usersInGraph(graph, each, byText);
      const others = (byGraph ?? byText).filter((user) => user !== file).slice(0, MAX_USERS);
      return others.length === 0 ? [] : [{ symbol, file, line, message, users: others, sure: byGraph !== undefined }];
    });
  } catch (error) {
    // The tree is too large to search in time, or git is missing: the other findings still count.
    if (error instanceof DexError) return [];
    throw error;
  }
}
