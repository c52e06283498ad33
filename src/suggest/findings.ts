/**
 * What suggestions need and takes long to find: decisions in force, failing tests, deprecated code in use. Found when
 * an answer may wait, kept with the history, and read from there when it may not.
 */

import type { Dex } from "../dex.ts";
import { findDeprecations, usersByText } from "../history/deprecations.ts";
import { withHistoryWriter } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import { usersIn } from "../project/code.ts";
import { decisionsOf } from "../project/decisions.ts";
import type { OpenRepository } from "../project/repository.ts";
import { testsOf } from "../project/tests.ts";
import type { RunContext } from "../run_context.ts";
import type { CodeReader } from "../store/code.ts";
import type { Deprecated } from "./evidence.ts";
import { type Derived, inForce, KEPT, MOST_KEPT_DECISIONS } from "./stored_findings.ts";

const MOST_DEPRECATED = 300;
const MOST_USERS = 50;

/** Looks at everything, and keeps it for those who cannot wait. */
export async function findDerived(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<Derived> {
  const decisions = (await decisionsOf(dex, open, context)).filter(inForce).slice(0, MOST_KEPT_DECISIONS);
  // Brings what conversations said of tests up to date; the results themselves are read when they are needed.
  await testsOf(dex, open, context);
  const deprecated = await deprecatedIn(open, graph);
  const texts: [string, string][] = [
    [KEPT.decisions, JSON.stringify(decisions)],
    [KEPT.deprecated, JSON.stringify(deprecated)],
  ];
  if (texts.some(([key, text]) => open.history.getValue(key) !== text)) {
    await withHistoryWriter(open.repository, dex.paths.history, (writer) => {
      for (const [key, text] of texts) writer.setValue(key, text);
      writer.commit();
    });
  }
  return { decisions, deprecated };
}

async function deprecatedIn(open: OpenRepository, graph: CodeReader | undefined): Promise<Deprecated[]> {
  const { repository } = open;
  try {
    const found = (await findDeprecations(repository)).slice(0, MOST_DEPRECATED);
    const names = found.flatMap(({ symbol }) => symbol ?? []);
    const users = await usersByText(repository, names);
    return found.flatMap((each): Deprecated[] => {
      const { symbol, file, line, message } = each;
      if (symbol === undefined) return [];
      const said = users.get(symbol) ?? [];
      const known = graph && usersIn(graph, each, said);
      const others = (known ?? said).filter((user) => user !== file).slice(0, MOST_USERS);
      return others.length === 0 ? [] : [{ symbol, file, line, message, users: others, sure: known !== undefined }];
    });
  } catch (error) {
    // A tree too large to look through in time, or no git: the rest is still told.
    if (error instanceof DexError) return [];
    throw error;
  }
}
