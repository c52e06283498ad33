/** Turns a caller's filters into a filter of the store. */
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { parseDate } from "../../kernel/time.ts";
import type { ConversationFilter } from "../../store/ports.ts";
import { knownProject, knownSource } from "./known_names.ts";

export interface FilterInput {
  project?: string;
  source?: string;
  from?: string;
  to?: string;
  file?: string;
  subagents?: boolean;
  abandoned?: boolean;
}

/** `team` and `by` require a home that has joined a team, and `by` a known member. */
export function originFilter(
  { store }: Dex,
  { team = false, by }: { team?: boolean; by?: string },
): Pick<ConversationFilter, "origin" | "owner"> {
  if (!team && by === undefined) return {};
  if (!store.home) {
    throw new DexError("no_team", "Only conversations of this home can be searched now.", {
      hint: "`dex team status` says whether this home has joined a team and reaches its server.",
    });
  }
  return { ...(team ? { origin: "team" } : {}), ...(by === undefined ? {} : { owner: by }) };
}

export function toFilter(dex: Dex, input: FilterInput): ConversationFilter {
  const now = new Date(dex.now());
  const from = input.from === undefined ? undefined : Date.parse(parseDate(input.from, "start", now));
  const to = input.to === undefined ? undefined : Date.parse(parseDate(input.to, "end", now));
  if (from !== undefined && to !== undefined && from > to) {
    throw new DexError("bad_date", `--from ${input.from} is after --to ${input.to}.`, { hint: "Swap the two dates." });
  }
  return {
    ...(input.project === undefined ? {} : knownProject(dex, input.project)),
    source: input.source === undefined ? undefined : knownSource(dex, input.source),
    from,
    to,
    file: input.file,
    subagents: input.subagents === false ? false : undefined,
    abandoned: input.abandoned === false ? false : undefined,
  };
}
