/** The report of a documentation sync, and the lookup of a declared collection by name. */
import * as z from "zod";
import type { SyncOutcome } from "../../../collections/service.ts";
import { unknownName } from "../../../kernel/did_you_mean.ts";

/** The documentation of a package: its version, and where it came from. */
const packageReport = z.object({
  name: z.string(),
  version: z.string(),
  parts: z.array(
    z.object({
      /** `types`: an API reference from the doc comments of declaration files. */
      from: z.enum(["package", "types", "repository", "homepage"]),
      place: z.string(),
      documents: z.number(),
      tokens: z.number(),
      /** Which commit, or why there is nothing. */
      note: z.string().optional(),
      failed: z.literal(true).optional(),
    }),
  ),
  /** Set if there is little documentation: what to try next. */
  advice: z.string().optional(),
});

const fileProblem = z.object({ path: z.string(), error: z.string() });

export const syncedCollection = z.object({
  name: z.string(),
  source: z.string(),
  /** False: part of the source could not be fetched; its earlier version is kept. */
  complete: z.boolean(),
  added: z.number(),
  changed: z.number(),
  removed: z.number(),
  unchanged: z.number(),
  redactions: z.number(),
  bytes: z.number(),
  failed: z.array(fileProblem),
  /** Files that are not documents: binary or empty. */
  skipped: z.array(fileProblem),
  notes: z.array(fileProblem),
  package: packageReport.optional(),
  /** Set when the whole source could not be fetched. */
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
});

export function declaredNamed<T extends { name: string }>(
  name: string,
  declared: readonly T[],
  missing: { hint: string; exitCode?: 1 | 2 },
): T {
  const found = declared.find((each) => each.name === name);
  if (found) return found;
  throw unknownName({
    code: "unknown_collection",
    sentence: `There is no collection "${name}" here.`,
    typed: name,
    names: declared.map((each) => each.name),
    hint: missing.hint,
    ...(missing.exitCode ? { exitCode: missing.exitCode } : {}),
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
    ...(report?.package ? { package: report.package } : {}),
    ...(error
      ? { error: { code: error.code, message: error.message, ...(error.hint ? { hint: error.hint } : {}) } }
      : {}),
  };
}
