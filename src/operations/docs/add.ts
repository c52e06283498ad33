import { reportOf, syncedCollection } from "./sync_report.ts";
import { join } from "node:path";
import * as z from "zod";
import { declareGlobally, declareInProject, entryOf } from "../../collections/declare.ts";
import { type Declared, declaredCollections, PROJECT_FILE, projectFolder } from "../../collections/declared.ts";
import { documentsBusy, syncCollections } from "../../collections/service.ts";
import { canonicalSource, identityOf, parseSource } from "../../collections/source.ts";
import { COLLECTION_NAME } from "../../config/settings.ts";
import { DexError } from "../../kernel/errors.ts";
import { defineOperation } from "../operation.ts";

export const docsAdd = defineOperation({
  name: "dex_docs_add",
  verb: "docs add",
  summary: "Add a collection of documentation and index it",
  positionals: ["name", "source"],
  input: z.strictObject({
    name: z
      .string()
      .regex(COLLECTION_NAME, "is not a name: letters, digits and . _ - @ / only")
      .describe("What to call it"),
    source: z
      .array(z.string().min(1).max(4000))
      .min(1, "needs a source")
      .max(100)
      .describe(
        "Folder, globs and !globs, git+https://…#ref, npm:name@range, .tar.gz, .zip, web address, manifest.json",
      ),
    ref: z.string().max(200).optional().describe("Branch, tag or commit of a git repository"),
    path: z.string().max(1000).optional().describe("Folder inside a git repository"),
    global: z.boolean().default(false).describe("For every project: in dex's config.yaml, not in context.json"),
    replace: z.boolean().default(false).describe("Give a name that is taken to this source"),
  }),
  output: z.object({
    name: z.string(),
    origin: z.enum(["project", "global"]),
    file: z.string(),
    collection: syncedCollection,
  }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: async (dex, input, context) => {
    const { name } = input;
    const source = parseSource(withPlace(input), dex.cwd);
    const folder = input.global ? undefined : projectFolder(dex);
    const origin = folder === undefined ? "global" : "project";
    const file = folder === undefined ? dex.paths.config : join(folder, PROJECT_FILE);
    const id = identityOf(source);
    const taken = (await declaredCollections(dex)).find((each) => each.name === name && each.origin === origin);
    if (taken && taken.id !== id && !input.replace) {
      throw new DexError("name_taken", `"${name}" is ${taken.canonical} in ${taken.file}.`, {
        hint: "Choose another name, or add --replace.",
      });
    }
    const declared: Declared = { name, origin, file, source, canonical: canonicalSource(source), id, trusted: true };
    // Taken in first: a source that is not there is not worth a name.
    const outcomes = await syncCollections(dex, [declared], { progress: context.progress });
    if (!outcomes) throw documentsBusy();
    const [outcome] = outcomes;
    if (outcome?.error) throw outcome.error;
    const entry = entryOf(source, folder);
    if (folder === undefined) await declareGlobally(dex, name, entry);
    else await declareInProject(dex, file, name, entry);
    dex.reopen();
    return { name, origin: declared.origin, file, collection: reportOf(outcome) };
  },
  /** It is added, and something of it is missing. */
  isEmpty: ({ collection }) => !collection.complete,
});

/** `--ref` and `--path` are another way to write the part behind the `#`. */
function withPlace({ source, ref, path }: { source: string[]; ref?: string; path?: string }): string[] {
  if (ref === undefined && path === undefined) return source;
  const [first = "", ...rest] = source;
  if (first.includes("#")) {
    throw new DexError("bad_source", "The address already names a branch or folder behind its #.", {
      hint: "Leave out --ref and --path.",
    });
  }
  const git = first.startsWith("git") ? first : `git+${first}`;
  return [`${git}#${ref ?? ""}${path === undefined ? "" : `?path=${path}`}`, ...rest];
}
