/** `dex docs sync`: indexes changes in collections of documentation. */
import * as z from "zod";
import { declaredCollections } from "../../../collections/declaring/declared.ts";
import { documentsBusy, syncCollections } from "../../../collections/service.ts";
import { defineOperation } from "../../operation.ts";
import { declaredNamed, reportOf, syncedCollection } from "./sync_report.ts";

const MISSING = { hint: "`dex docs list` lists the collections; `dex docs add` creates one." };

export const docsSync = defineOperation({
  name: "dex_docs_sync",
  verb: "docs sync",
  summary: "Index the changes in collections of documentation",
  positionals: ["names"],
  input: z.strictObject({
    names: z.array(z.string()).max(1000).default([]).describe("Names of collections (default: all declared here)"),
    full: z.boolean().default(false).describe("Fetch and read everything again, not only changes"),
    no_global: z.boolean().default(false).describe("Skip the collections of dex's config.yaml"),
  }),
  output: z.object({ collections: z.array(syncedCollection), complete: z.boolean(), seconds: z.number() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const started = dex.now();
    const declared = (await declaredCollections(dex)).filter(({ origin }) => !input.no_global || origin === "project");
    const chosen =
      input.names.length === 0 ? declared : input.names.map((name) => declaredNamed(name, declared, MISSING));
    const outcomes = await syncCollections(dex, [...new Set(chosen)], { full: input.full, progress: context.progress });
    if (!outcomes) throw documentsBusy();
    dex.reopen();
    await dex.embedInBackground(true);
    const collections = outcomes.map(reportOf);
    // When one collection was named, its error fails the command.
    const [only] = outcomes;
    if (input.names.length === 1 && only?.error) throw only.error;
    return {
      collections,
      complete: collections.every(({ complete }) => complete),
      seconds: (dex.now() - started) / 1000,
    };
  },
  /** An incomplete sync exits with 1. */
  isEmpty: ({ collections, complete }) => collections.length === 0 || !complete,
});
