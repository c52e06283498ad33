/** The form of decisions, tests and linked conversations in the answers about history. */
import * as z from "zod";
import { type Decision, ORIGIN_NAMES, ORIGINS, STATUSES } from "../../decisions/decision.ts";
import { recorderOf, SAVED_DECISION_PLACE } from "../../decisions/known.ts";
import { evidenceText, type RepositoryCopy } from "../../history/copies/copies.ts";
import type { CommitLink } from "../../history/links.ts";
import type { OpenRepository } from "../../project/repository.ts";
import { originIn } from "../../search/results/describe.ts";
import { originFields } from "../../search/results/result_schema.ts";
import type { CommitInfo } from "../../store/history_records.ts";
import type { IndexReader } from "../../store/index_reader.ts";

export const decisionOutput = z.object({
  id: z.string(),
  text: z.string(),
  status: z.enum(STATUSES),
  because: z.string().nullable(),
  alternatives: z.array(z.string()),
  files: z.array(z.string()),
  symbols: z.array(z.string()),
  /** The kind of source it was found in. */
  origin: z.enum(ORIGINS),
  /** The same in words. */
  origin_name: z.string(),
  /** Its source: id#index, a commit, or file:line. */
  place: z.string(),
  /** All places that state it, if there are several. */
  places: z.array(z.string()).optional(),
  date: z.string(),
  /** dex is not sure enough to list it without `all`. */
  uncertain: z.literal(true).optional(),
  /** The id of the decision, or the commit, that replaces it. */
  superseded_by: z.string().optional(),
});

export function listedDecision(decision: Decision): z.output<typeof decisionOutput> {
  const { id, text, status, because, alternatives, files, symbols, origin, place, places, time, shown } = decision;
  const { superseded_by } = decision;
  return {
    id,
    text,
    status,
    because,
    alternatives,
    files,
    symbols,
    origin,
    origin_name: ORIGIN_NAMES[origin],
    place: place === SAVED_DECISION_PLACE ? recorderOf(decision) : place,
    ...(places === undefined ? {} : { places: [...places] }),
    date: new Date(time).toISOString(),
    ...(shown ? {} : { uncertain: true as const }),
    ...(superseded_by === null ? {} : { superseded_by }),
  };
}

export const linkOutput = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string(),
  /** id#index of the message that made the commit, or only id when the message is unknown. */
  address: z.string(),
  /** When the conversation was last active. */
  date: z.string(),
  by: z.enum(["sha", "message", "files"]),
  confidence: z.number(),
  ...originFields,
});

/** `home`: the member and machine of this home, where conversations of a team are read with it. */
export function linkOf(link: CommitLink, home?: IndexReader["home"]): z.output<typeof linkOutput> {
  const { id, source, title, updated, message, by, confidence } = link;
  const address = message === null ? id : `${id}#${message}`;
  return { id, source, title, address, date: new Date(updated).toISOString(), by, confidence, ...originIn(home, link) };
}

export function commitLink(
  open: Pick<OpenRepository, "history" | "links">,
  commit: CommitInfo,
  home?: IndexReader["home"],
): z.output<typeof linkOutput> | undefined {
  const link = open.links.of(commit, () => open.history.filesOf(commit.no).map(({ path }) => path));
  return link && linkOf(link, home);
}

/** A folder that dex takes, or might take, for a copy of the repository. */
export const copyOutput = z.object({
  folder: z.string(),
  /** joined: its conversations count as the repository's own. unsure: they do not, unless history.copies confirms it. */
  state: z.enum(["joined", "unsure"]),
  conversations: z.number(),
  /** The evidence in words. */
  why: z.string(),
});

export function copyOf({ folder, state, conversations, evidence }: RepositoryCopy): z.output<typeof copyOutput> {
  return { folder, state, conversations, why: evidenceText(evidence) };
}

export const TEST_STATUSES = ["failed", "unknown", "passed", "skipped"] as const;

export const testOutput = z.object({
  name: z.string(),
  file: z.string().nullable(),
  status: z.enum(TEST_STATUSES),
  runner: z.string(),
  message: z.string().nullable(),
  /** Why the result of a test that failed is unknown now. */
  why: z.string().optional(),
  /** The time of this result. */
  date: z.string(),
  /** id#index of the run, or the imported file. */
  place: z.string(),
});
