/** `dex docs remove`: removes the declaration of collections and their index. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import { readArchived } from "../../../collections/archive.ts";
import { declareGlobally, declareInProject } from "../../../collections/declaring/declare.ts";
import { declaredCollections, PROJECT_FILE, readContextFile } from "../../../collections/declaring/declared.ts";
import { identityOf } from "../../../collections/declaring/source.ts";
import { documentsBusy, dropCollection } from "../../../collections/service.ts";
import type { Dex } from "../../../dex.ts";
import { DexError } from "../../../kernel/errors.ts";
import { defineOperation } from "../../operation.ts";
import { declaredNamed } from "./sync_report.ts";

const MISSING = { hint: "`dex docs list` lists the collections.", exitCode: 1 } as const;

export const docsRemove = defineOperation({
  name: "dex_docs_remove",
  verb: "docs remove",
  summary: "Remove collections of documentation and their index",
  positionals: ["names"],
  input: z.strictObject({
    names: z.array(z.string()).min(1, "needs at least one name").max(1000).describe("Names of collections"),
    global: z
      .boolean()
      .default(false)
      .describe("Remove the one declared in dex's config.yaml, if the project has one of the same name"),
    keep: z.boolean().default(false).describe("Remove the declaration only, keep the index"),
  }),
  output: z.object({
    removed: z.array(
      z.object({
        name: z.string(),
        source: z.string(),
        file: z.string(),
        /** False: the index was kept, because of --keep or because another file declares the collection. */
        dropped: z.boolean(),
      }),
    ),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input) => {
    // The project's names hide global ones, so --global ignores the project.
    const known = await declaredCollections(input.global ? { ...contextOf(dex), cwd: dex.paths.home } : dex);
    const candidates = known.filter(({ origin }) => !input.global || origin === "global");
    // Resolve all names before removing any, so that a typo removes nothing.
    const chosen = [...new Set(input.names)].map((name) => declaredNamed(name, candidates, MISSING));
    const removed = [];
    for (const { name, canonical, file, id, origin, implicit } of chosen) {
      if (implicit) {
        throw new DexError(
          "not_ours",
          `"${name}" holds the documents of ${file} itself and is not declared anywhere.`,
          {
            hint: "`dex config set docs.project false` leaves out the documents of repositories.",
          },
        );
      }
      if (origin === "project" && basename(file) !== PROJECT_FILE) {
        throw new DexError("not_ours", `"${name}" is declared in ${file}, which dex does not write.`, {
          hint: "Remove it from that file.",
        });
      }
      if (origin === "global") await declareGlobally(dex, name, undefined);
      else await declareInProject(dex, file, name, undefined);
      const dropped = !input.keep && !(await declaredElsewhere(dex, id));
      if (dropped && !(await dropCollection(dex, id))) throw documentsBusy();
      removed.push({ name, source: canonical, file, dropped });
    }
    dex.reopen();
    return { removed };
  },
});

function contextOf({ paths, settings, vars, cwd, now }: Dex): Pick<Dex, "paths" | "settings" | "vars" | "cwd" | "now"> {
  return { paths, settings, vars, cwd, now };
}

/** True when another project, or another name here, still declares the collection. */
async function declaredElsewhere(dex: Dex, id: string): Promise<boolean> {
  const { Dex: Opened } = await import("../../../dex.ts");
  const now = await Opened.open({ vars: dex.vars, cwd: dex.cwd, now: dex.now });
  const here = (await declaredCollections(now)).some((each) => each.id === id);
  now.close();
  if (here) return true;
  const files = readArchived(dex.paths.documentArchive, id)?.declared ?? [];
  return files.some((file) => file !== dex.paths.config && basename(file) === PROJECT_FILE && declaredIn(file, id));
}

function declaredIn(file: string, id: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const known = readContextFile(file);
    return known?.entries.some(({ source }) => identityOf(source) === id) ?? false;
  } catch {
    return false;
  }
}
