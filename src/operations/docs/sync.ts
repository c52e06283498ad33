import * as z from "zod";
import { declaredCollections } from "../../collections/declared.ts";
import { documentsBusy, type SyncOutcome, syncCollections } from "../../collections/service.ts";
import { DexError } from "../../kernel/errors.ts";
import { nearest } from "../../kernel/text.ts";
import { defineOperation } from "../operation.ts";

const trouble = z.object({ path: z.string(), error: z.string() });

export const syncedCollection = z.object({
  name: z.string(),
  source: z.string(),
  /** False: something could not be got, and what an earlier sync had of it is kept. */
  complete: z.boolean(),
  added: z.number(),
  changed: z.number(),
  removed: z.number(),
  unchanged: z.number(),
  redactions: z.number(),
  bytes: z.number(),
  failed: z.array(trouble),
  /** No documents: binary, empty. */
  skipped: z.array(trouble),
  notes: z.array(trouble),
  /** The source as a whole could not be had. */
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
});

const MISSING = { hint: "`dex docs list` shows them; `dex docs add` makes one." };

export const docsSync = defineOperation({
  name: "dex_docs_sync",
  verb: "docs sync",
  summary: "Index what changed in collections of documentation",
  positionals: ["names"],
  input: z.strictObject({
    names: z.array(z.string()).max(1000).default([]).describe("Collections; without one all that are declared here"),
    full: z.boolean().default(false).describe("Fetch and read everything again, not only what changed"),
    no_global: z.boolean().default(false).describe("Not those of dex's config.yaml"),
  }),
  output: z.object({ collections: z.array(syncedCollection), complete: z.boolean(), seconds: z.number() }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: async (dex, input, context) => {
    const started = dex.now();
    const declared = (await declaredCollections(dex)).filter(({ origin }) => !input.no_global || origin === "project");
    const chosen =
      input.names.length === 0 ? declared : input.names.map((name) => declaredNamed(name, declared, MISSING));
    const outcomes = await syncCollections(dex, [...new Set(chosen)], { full: input.full, progress: context.progress });
    if (!outcomes) throw documentsBusy();
    dex.reopen();
    const collections = outcomes.map(reportOf);
    // Asked for one alone, its error is the answer.
    const [only] = outcomes;
    if (input.names.length === 1 && only?.error) throw only.error;
    return {
      collections,
      complete: collections.every(({ complete }) => complete),
      seconds: (dex.now() - started) / 1000,
    };
  },
  /** What is not complete does not end as if it were. */
  isEmpty: ({ collections, complete }) => collections.length === 0 || !complete,
});

/** The collection of that name. */
export function declaredNamed<T extends { name: string }>(
  name: string,
  declared: readonly T[],
  missing: { hint: string; exitCode?: 1 | 2 },
): T {
  const found = declared.find((each) => each.name === name);
  if (found) return found;
  const meant = nearest(
    name,
    declared.map((each) => each.name),
  );
  throw new DexError("unknown_collection", `There is no collection "${name}" here.`, {
    ...missing,
    ...(meant ? { hint: `Did you mean ${meant}?` } : {}),
  });
}

export function reportOf(outcome: SyncOutcome | undefined): z.output<typeof syncedCollection> {
  const { name = "", source = "", report, error } = outcome ?? {};
  const {
    complete = false,
    added = 0,
    changed = 0,
    removed = 0,
    unchanged = 0,
    redactions = 0,
    bytes = 0,
  } = report ?? {};
  return {
    name,
    source,
    complete,
    added,
    changed,
    removed,
    unchanged,
    redactions,
    bytes,
    failed: report?.failed ?? [],
    skipped: report?.skipped ?? [],
    notes: report?.notes ?? [],
    ...(error
      ? { error: { code: error.code, message: error.message, ...(error.hint ? { hint: error.hint } : {}) } }
      : {}),
  };
}
