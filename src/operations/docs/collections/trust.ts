/** `dex trust`: lets a project's files point outside the project, or lets its committed history be read. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { declaredCollections, projectFiles, staysInside } from "../../../collections/declaring/declared.ts";
import { canonicalSource } from "../../../collections/declaring/source.ts";
import { isManifest, MAX_MANIFEST_BYTES, parseManifest } from "../../../collections/gather/manifest.ts";
import { distrustFiles, isTrusted, trustedHistories, trustFiles, trustHistory } from "../../../config/trust.ts";
import type { Dex } from "../../../dex.ts";
import { DexError } from "../../../kernel/errors.ts";
import { readRegularFile } from "../../../kernel/files/bounded_read.ts";
import { realPath } from "../../../kernel/files/paths.ts";
import { defineOperation } from "../../operation.ts";

export const trust = defineOperation({
  name: "dex_trust",
  verb: "trust",
  summary:
    "Trust the sources outside the project that its context.json and .dex.yaml name in their current form, or its committed conversations",
  positionals: ["folder"],
  input: z.strictObject({
    folder: z.string().optional().describe("A folder of the project (default: the current one)"),
    history: z
      .boolean()
      .default(false)
      .describe("Index the conversations committed in this project (SpecStory, Aider)"),
    remove: z.boolean().default(false).describe("Withdraw the trust"),
    show: z.boolean().default(false).describe("Show what would be trusted, and change nothing"),
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        status: z.enum(["trusted", "already_trusted", "untrusted", "nothing_to_trust", "distrusted"]),
        /** Its sources outside the project. */
        outside: z.array(z.object({ name: z.string(), source: z.string() })),
      }),
    ),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input) => {
    const cwd = resolve(dex.cwd, input.folder ?? ".");
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
      throw new DexError("no_folder", `${cwd} is not a folder.`, { hint: "Pass the folder of a project." });
    }
    if (input.history) return { files: [historyTrust(dex, realPath(cwd), input)] };
    const found = await foundFiles(dex, cwd);
    if (found.length === 0) {
      throw new DexError(
        "nothing_to_trust",
        `No context.json or .dex.yaml with collections was found from ${cwd} upwards.`,
        { hint: "Name the project's folder. --history trusts its committed conversations.", exitCode: 1 },
      );
    }
    const list = dex.paths.trust;
    const wanted = found.filter(({ outside, path, content }) => outside.length > 0 && !isTrusted(list, path, content));
    if (input.remove) {
      const gone = new Set(
        distrustFiles(
          list,
          found.map(({ path }) => path),
        ),
      );
      return {
        files: found.map(
          ({ path, outside }) => ({ path, outside, status: gone.has(path) ? "distrusted" : "untrusted" }) as const,
        ),
      };
    }
    if (!input.show && wanted.length > 0) trustFiles(list, new Map(wanted.map(({ path, content }) => [path, content])));
    return {
      files: found.map((file) => {
        const { path, outside } = file;
        const status =
          outside.length === 0
            ? "nothing_to_trust"
            : !wanted.includes(file)
              ? "already_trusted"
              : input.show
                ? "untrusted"
                : "trusted";
        return { path, outside, status } as const;
      }),
    };
  },
});

/** Trusts a folder and everything below it, including later commits. */
function historyTrust(
  dex: Dex,
  folder: string,
  { remove, show }: { remove: boolean; show: boolean },
): { path: string; outside: []; status: "trusted" | "already_trusted" | "untrusted" | "distrusted" } {
  const list = dex.paths.trust;
  const trusted = trustedHistories(list).includes(folder);
  if (remove) {
    if (trusted) distrustFiles(list, [folder]);
    return { path: folder, outside: [], status: trusted ? "distrusted" : "untrusted" };
  }
  if (!trusted && !show) trustHistory(list, folder);
  return { path: folder, outside: [], status: trusted ? "already_trusted" : show ? "untrusted" : "trusted" };
}

interface Found {
  path: string;
  content: string;
  outside: { name: string; source: string }[];
}

/** The project's declaration files, and its manifests that list files on the web. */
async function foundFiles(dex: Dex, cwd: string): Promise<Found[]> {
  const { paths, settings, vars, now } = dex;
  const context = { paths, settings, vars, cwd, now };
  const found: Found[] = (await projectFiles(context)).map(({ path, content, folder, entries, problems }) => {
    const [problem] = problems;
    // It would be trusted unseen, and a later dex might read it.
    if (problem !== undefined) throw new DexError("bad_context", problem, { hint: "Correct the file, then trust it." });
    const outside = entries.filter(({ source }) => !staysInside(source, folder));
    return { path, content, outside: outside.map(({ name, source }) => ({ name, source: canonicalSource(source) })) };
  });
  for (const { name, source, origin } of await declaredCollections(context)) {
    if (origin !== "project" || source.kind !== "manifest" || /^https?:/.test(source.at)) continue;
    const content = readRegularFile(source.at, MAX_MANIFEST_BYTES)?.toString("utf8") ?? "";
    if (!isManifest(Buffer.from(content))) continue;
    const manifest = parseManifest(Buffer.from(content), source.at);
    const hosts = new Set(
      [manifest.baseUrl, ...manifest.files.map(({ url }) => url)].flatMap((url) =>
        url === undefined ? [] : [new URL(url).origin],
      ),
    );
    found.push({ path: source.at, content, outside: [...hosts].map((host) => ({ name, source: host })) });
  }
  return found;
}
