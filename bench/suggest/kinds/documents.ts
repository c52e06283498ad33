/**
 * Cases of sections that a prompt finds: the documents of a repository as they were before its last commits, searched
 * for the subject of each of these commits. A section was of use if the commit changed its document.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Dex } from "../../../src/dex.ts";
import { docsAdd } from "../../../src/operations/docs/collections/add.ts";
import type { ProjectView } from "../../../src/suggest/evidence.ts";
import { hasContent } from "../../../src/suggest/prompt_content.ts";
import { relatedDocuments } from "../../../src/suggest/providers/documents.ts";
import { plainSubject } from "../../../src/suggest/replay/plain_subject.ts";
import { documentFinder } from "../../../src/suggest/view/documents.ts";
import { history } from "../../history/cochange.ts";
import type { Case } from "./cases.ts";

const NAME = "docs";
const MAX_COMMIT_FILES = 30;
const DOCUMENTS = "**/*.{md,mdx,rst}";

export async function documentCases(root: string, last: number): Promise<Case[]> {
  const commits = (await history(root)).filter(({ parents }) => parents < 2);
  const before = commits.at(-last - 1);
  if (!before) return [];
  const folder = mkdtempSync(join(tmpdir(), "dex-kinds-docs-"));
  const clone = join(folder, "clone");
  git(["clone", "--quiet", "--shared", "--no-checkout", root, clone]);
  git(["-C", clone, "checkout", "--quiet", "--force", "--detach", before.sha]);
  const open = (): Promise<Dex> => Dex.open({ vars: { HOME: folder, DEX_HOME: join(folder, "dex") }, cwd: clone });
  let dex = await open();
  try {
    await docsAdd.run(dex, docsAdd.input.parse({ name: NAME, source: [`${clone}/${DOCUMENTS}`], global: true }), {});
    // The settings are read when dex is opened.
    dex.close();
    dex = await open();
    const documents = documentFinder(await dex.library(), dex.settings);
    const found: Case[] = [];
    for (const { sha, subject, files, file_count, time } of commits.slice(-last)) {
      const prompt = plainSubject(subject);
      if (file_count > MAX_COMMIT_FILES || !hasContent(prompt)) continue;
      const edited = new Set(files.map(({ path, old }) => old ?? path));
      const activity = { folder: clone, recent: [], prompt };
      const focus = { files: [], symbols: [], names: [], question: undefined, own: new Set<number>() };
      // The provider reads nothing else of a view without a code graph.
      const view = { activity, focus, documents, graph: undefined } as unknown as ProjectView;
      for (const { entityId, evidence } of relatedDocuments(view)) {
        const path = entityId.slice(`doc:${NAME}:`.length).split("#")[0] ?? "";
        const plain = evidence.map(({ reason: _, ...rest }) => rest);
        const head = { set: basename(root), unit: sha, time, asked: "prompt", type: "doc" } as const;
        found.push({ ...head, evidence: plain, useful: edited.has(path) });
      }
    }
    return found;
  } finally {
    dex.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("git", args, { env, stdio: ["ignore", "ignore", "ignore"] });
}
