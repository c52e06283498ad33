/** `dex docs add`: declares a collection of documentation and indexes it. */
import { join } from "node:path";
import * as z from "zod";
import { type WantedPackage, wantedPackage } from "../../../collections/catalogue/wanted.ts";
import { declareGlobally, declareInProject, entryOf } from "../../../collections/declaring/declare.ts";
import {
  type Declared,
  declaredCollections,
  PROJECT_FILE,
  projectFolder,
  untrustedError,
} from "../../../collections/declaring/declared.ts";
import { isPlainlySource, nameOf } from "../../../collections/declaring/name.ts";
import { canonicalSource, identityOf, parseSource } from "../../../collections/declaring/source.ts";
import { documentsBusy, syncCollections } from "../../../collections/service.ts";
import { COLLECTION_NAME } from "../../../config/collection_name.ts";
import type { Dex } from "../../../dex.ts";
import { DexError, withFurtherHint } from "../../../kernel/errors.ts";
import { defineOperation } from "../../operation.ts";
import { reportOf, syncedCollection } from "./sync_report.ts";

export const docsAdd = defineOperation({
  name: "dex_docs_add",
  verb: "docs add",
  summary: "Add a collection of documentation and index it",
  positionals: ["name", "source"],
  input: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(4000)
      .describe("Name of the collection; without a source, an npm package (react@18), ./folder or an address"),
    source: z
      .array(z.string().min(1).max(4000))
      .max(100)
      .default([])
      .describe(
        "Folder, globs and !globs, git+https://…#ref, npm:name@range, .tar.gz, .zip, web address, manifest.json",
      ),
    ref: z.string().max(200).optional().describe("Branch, tag or commit of a git repository"),
    path: z.string().max(1000).optional().describe("Folder inside a git repository"),
    global: z
      .boolean()
      .default(false)
      .describe("For every project: declare it in dex's config.yaml, not in context.json"),
    replace: z.boolean().default(false).describe("Replace the source of an existing collection"),
  }),
  output: z.object({
    name: z.string(),
    origin: z.enum(["project", "global"]),
    file: z.string(),
    collection: syncedCollection,
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const { name, source, reason } = wanted(input, dex);
    if (reason !== undefined) context.notice?.(reason);
    const folder = input.global ? undefined : projectFolder(dex);
    const origin = folder === undefined ? "global" : "project";
    const file = folder === undefined ? dex.paths.config : join(folder, PROJECT_FILE);
    const id = identityOf(source);
    const taken = (await declaredCollections(dex)).find(
      (each) => each.name === name && each.origin === origin && !each.implicit,
    );
    if (taken && taken.id !== id && !input.replace) {
      throw new DexError(
        "name_taken",
        `The name "${name}" is taken: ${taken.file} declares it as ${taken.canonical}.`,
        {
          hint: "Choose another name, or add --replace.",
        },
      );
    }
    const declared: Declared = { name, origin, file, source, canonical: canonicalSource(source), id, trusted: true };
    // Index the source before declaring it, so that an unreachable source leaves no declaration.
    const outcomes = await syncCollections(dex, [declared], { progress: context.progress });
    if (!outcomes) throw documentsBusy();
    const [outcome] = outcomes;
    if (outcome?.error) throw withFurtherHint(outcome.error, "Nothing was added.");
    const entry = entryOf(source, folder);
    if (folder === undefined) await declareGlobally(dex, name, entry);
    else await declareInProject(dex, file, name, entry);
    dex.reopen();
    const waiting = (await declaredCollections(dex)).find(
      (each) => each.name === name && each.origin === origin && !each.trusted,
    );
    if (waiting) {
      const { message, hint } = untrustedError(waiting);
      context.notice?.(`${message} ${hint}`);
    }
    await dex.embedInBackground(true);
    return { name, origin: declared.origin, file, collection: reportOf(outcome) };
  },
  /** The collection was added, but incompletely. */
  isEmpty: ({ collection }) => !collection.complete,
});

/** Without a source, the name is that of a package, or the source itself. */
function wanted(input: { name: string; source: string[]; ref?: string; path?: string }, dex: Dex): WantedPackage {
  if (input.source.length === 0 && isPlainlySource(input.name)) {
    const source = parseSource(withRefAndPath({ ...input, source: [input.name] }), dex.cwd);
    const name = nameOf(source);
    if (COLLECTION_NAME.test(name)) return { name, source };
    throw new DexError("bad_input", `"${input.name}" gives the collection no name.`, {
      hint: `Name it: \`dex docs add name ${input.name}\`.`,
    });
  }
  if (input.source.length === 0) {
    if (input.ref === undefined && input.path === undefined) return wantedPackage(input.name, dex);
    throw new DexError("bad_source", "--ref and --path belong to a git repository.", {
      hint: "Name the repository: `dex docs add name git+https://… --ref main`.",
    });
  }
  if (!COLLECTION_NAME.test(input.name)) {
    throw new DexError("bad_input", `"${input.name}" cannot be the name of a collection.`, {
      hint: "A name has letters, digits and . _ - @ / only, at most 100 of them.",
    });
  }
  return { name: input.name, source: parseSource(withRefAndPath(input), dex.cwd) };
}

/** `--ref` and `--path` are another way to write the part after the `#`. */
function withRefAndPath({ source, ref, path }: { source: string[]; ref?: string; path?: string }): string[] {
  if (ref === undefined && path === undefined) return source;
  const [first = "", ...rest] = source;
  if (first.includes("#")) {
    throw new DexError("bad_source", "The address already names a branch or folder after its #.", {
      hint: "Omit --ref and --path.",
    });
  }
  const git = first.startsWith("git") ? first : `git+${first}`;
  return [`${git}#${ref ?? ""}${path === undefined ? "" : `?path=${path}`}`, ...rest];
}
