/** Links a repository to conversations: those of this home and its team, or those that the caller selects. */
import type { Dex } from "../../dex.ts";
import { CommitLinks } from "../../history/links.ts";
import type { OpenRepository } from "../../project/repository.ts";
import { originFilter } from "../../search/filters/filter.ts";
import { withTeam } from "../../search/with_team.ts";
import { chosenTrail } from "../../store/joined/chosen.ts";
import type { OperationContext } from "../operation.ts";

/** `dex` reads the index that has the conversations. */
export interface Chosen extends Pick<OpenRepository, "history" | "links"> {
  dex: Dex;
}

export interface Choice {
  team?: boolean;
  local?: boolean;
  by?: string | undefined;
}

/** `work` may run several times: it must only read. */
export async function withChosen<T>(
  dex: Dex,
  { repository, folder, history, links }: OpenRepository,
  { team = false, local = false, by }: Choice,
  context: OperationContext,
  work: (chosen: Chosen, context: OperationContext) => T | Promise<T>,
): Promise<T> {
  if (local) return work({ dex, history, links }, context);
  const choose = (joined: Dex): CommitLinks => {
    const filter = originFilter(joined, { team, ...(by === undefined ? {} : { by }) });
    return new CommitLinks(repository, chosenTrail(joined.store, filter, joined.store.home?.owner));
  };
  return withTeam(
    dex,
    context,
    (joined, heard) => work({ dex: joined, history, links: choose(joined) }, heard),
    folder,
  );
}
