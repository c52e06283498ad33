/** `dex docs pack`: writes a folder of documentation as a package. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { packFolder } from "../../../collections/pack.ts";
import { DexError } from "../../../kernel/errors.ts";
import { writeFileAtomic } from "../../../kernel/files/atomic_write.ts";
import { defineOperation } from "../../operation.ts";

export const docsPack = defineOperation({
  name: "dex_docs_pack",
  verb: "docs pack",
  summary: "Write a folder of documentation as a package that others can add",
  positionals: ["folder"],
  input: z.strictObject({
    folder: z.string().describe("The folder; its manifest.json, if any, selects the files"),
    output: z.string().optional().describe("The file to write (default: <name>-<version>.tar.gz)"),
    name: z.string().min(1).max(100).optional().describe("Overrides the name of the manifest or folder"),
    version: z.string().min(1).max(100).optional().describe("Overrides the version of the manifest, or 0.0.0"),
  }),
  output: z.object({
    file: z.string(),
    name: z.string(),
    version: z.string(),
    files: z.number(),
    bytes: z.number(),
    redactions: z.number(),
    skipped: z.array(z.object({ path: z.string(), error: z.string() })),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input) => {
    const folder = resolve(dex.cwd, input.folder);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new DexError("not_a_folder", `${folder} is not a folder.`, {
        hint: "`dex docs pack docs` packs the folder docs.",
      });
    }
    const { maxFiles, maxFileBytes } = dex.settings.docs;
    const packed = await packFolder(folder, input, { maxFiles, maxBytes: maxFileBytes });
    const { name, version, bytes, files, redactions, skipped } = packed;
    const safe = `${name}-${version}.tar.gz`.replace(/[^\w.@-]+/g, "-").replace(/^[.-]+/, "");
    const file = resolve(dex.cwd, input.output ?? safe);
    // The package is meant to be shared, so it is readable by everyone.
    writeFileAtomic(file, bytes, 0o644);
    return { file, name, version, files, bytes: bytes.length, redactions, skipped };
  },
});
