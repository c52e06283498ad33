/** Deprecated code in use, cached with the history while the working tree and the graph of the code stay the same. */
import type { Dex } from "../../dex.ts";
import { cachedList, cacheList } from "../../history/cached_list.ts";
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
  const cached = cachedList<DeprecatedCode>(history, list);
  if (cached) return cached;
  const found = await deprecatedInUse(repository, graph);
  await cacheList({ repository, folder: dex.paths.history }, list, found);
  return found;
}
