/** The conversations of this home and of a team, in the form that ranking needs. */
import type { Catalogue } from "../../ranking/ports.ts";
import type { ConversationFilter } from "../ports.ts";
import type { LastAnswers } from "./last_answers.ts";

export interface JoinedCatalogues {
  local: Catalogue<ConversationFilter>;
  team: Catalogue<ConversationFilter>;
  /** Added to the number of each shared conversation. */
  shift: () => number;
  /** The name of the member that this home belongs to. */
  me: string | undefined;
  /** Cached, because finding the conversations that touched a path reads the whole list of files. */
  boosts: LastAnswers<ReadonlyMap<number, number>>;
}

export function joinedCatalogue({
  local,
  team,
  shift,
  me,
  boosts: last,
}: JoinedCatalogues): Catalogue<ConversationFilter> {
  const isShared = (no: number): boolean => no >= shift();
  return {
    extent: () => {
      const [own, shared] = [local.extent(), team.extent()];
      return { count: own.count + shared.count, largest: shift() + shared.largest };
    },
    ownerOf: (no) => (isShared(no) ? team.ownerOf(no - shift()) : local.ownerOf(no)),
    passing: (filter) => {
      const [own, shared] = [localFilter(filter, shift(), me), teamFilter(filter, shift())];
      const ownPassing = own && local.passing(own);
      const sharedPassing = shared && team.passing(shared);
      if (own && shared && !ownPassing && !sharedPassing) return undefined;
      const locals = own ? (ownPassing ?? upTo(local.extent().largest)) : [];
      const teams = shared ? (sharedPassing ?? upTo(team.extent().largest)) : [];
      return [...locals, ...Array.from(teams, (no) => no + shift())];
    },
    boosts: (query) =>
      last.of(query.paths ?? [], () => {
        const boosts = new Map(local.boosts(query));
        for (const [no, boost] of team.boosts(query)) boosts.set(no + shift(), boost);
        return boosts;
      }),
    order: (no, slot) => (isShared(no) ? team.order?.(no - shift(), slot) : local.order?.(no, slot)),
  };
}

/** The filter for conversations of this home; undefined if none of them passes. */
export function localFilter(
  { origin, owner, ...filter }: ConversationFilter,
  shift: number,
  me: string | undefined,
): ConversationFilter | undefined {
  if (origin === "team" || (owner !== undefined && owner !== me)) return undefined;
  if (filter.no !== undefined && filter.no >= shift) return undefined;
  return filter;
}

/** The filter for shared conversations; undefined if none of them passes. */
export function teamFilter({ origin, ...filter }: ConversationFilter, shift: number): ConversationFilter | undefined {
  if (origin === "local") return undefined;
  if (filter.no === undefined) return filter;
  return filter.no < shift ? undefined : { ...filter, no: filter.no - shift };
}

function upTo(largest: number): Iterable<number> {
  return Array.from({ length: largest }, (_, i) => i + 1);
}
