/** Deprecated code in use, kept with the history while the working tree and the graph of the code stay the same. */
import type { Dex } from "../../dex.ts";
import { keepList, keptList } from "../../history/kept_list.ts";
import { treeStamp, workingFiles } from "../../history/working_tree.ts";
import type { CodeReader } from "../../store/code.ts";
import { graphStamp } from "../code.ts";
import type { OpenRepository } from "../repository.ts";
import { type DeprecatedCode, deprecatedInUse } from "./deprecations.ts";

export async function deprecatedOf(
  dex: Dex,
  { repository, history }: OpenRepository,
  graph: CodeReader | undefined,
): Promise<DeprecatedCode[]> {
  if (!repository.git) return deprecatedInUse(repository, graph);
  const tree = treeStamp(repository, await workingFiles(repository));
  const list = { key: "deprecated_kept", stamp: `${tree} ${graph ? graphStamp(dex, repository) : ""}` };
  const kept = keptList<DeprecatedCode>(history, list);
  if (kept) return kept;
  const found = await deprecatedInUse(repository, graph);
  await keepList({ repository, folder: dex.paths.history }, list, found);
  return found;
}
