/** The questions of `answers.ts`, and the documentation they are about. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

export interface Answerable {
  query: string;
  /** Sections with the answer: `document#heading`; `*` stands for any document or any heading. */
  gold: readonly string[];
  /** A right answer contains one text of each list. */
  fact: readonly (readonly string[])[];
}

export interface QuestionSet {
  name: string;
  /**
   * The weights are fitted on all but `held11` to `held15`; those of `held6` to `held9` were held out at first.
   * `dev5`, `held5`, `held7` and `held8` are short everyday questions, `dev6` and `held6` short and long ones; `dev10`
   * and the sets after it are about large documentation in several formats.
   */
  half:
    | "dev"
    | "held"
    | "dev2"
    | "held2"
    | "held3"
    | "held4"
    | "dev5"
    | "held5"
    | "dev6"
    | "held6"
    | "held7"
    | "held8"
    | "held9"
    | "dev10"
    | "held11"
    | "held12"
    | "held13"
    | "held14"
    | "held15";
  /** Of the registry, with its version; a repository with its commit or tag; or a package of Debian 12. */
  npm?: string;
  git?: string;
  commit?: string;
  deb?: string;
  folders: readonly string[];
  /** Which files of the folders; without it, Markdown or reStructuredText. */
  files?: string;
  answerable: readonly Answerable[];
  unanswerable: readonly string[];
  /** Those of them that another of the collections answers: over all collections they have no right outcome. */
  elsewhere?: readonly string[];
}

export function questionSets(): QuestionSet[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "questions.json"), "utf8")) as QuestionSet[];
}

/** Fetches the documents of a set into a folder of its name, unless it exists. */
export function fetchDocuments(set: QuestionSet, into: string): string {
  const target = join(into, set.name);
  if (existsSync(target)) return target;
  const whole = join(into, `.${set.name}`);
  rmSync(whole, { recursive: true, force: true });
  mkdirSync(whole, { recursive: true });
  if (set.npm) {
    execFileSync("npm", ["pack", set.npm, "--silent", "--pack-destination", whole]);
    const [archive = ""] = globSync("*.tgz", { cwd: whole });
    execFileSync("tar", ["xzf", join(whole, archive), "-C", whole, "--strip-components=1"]);
  } else if (set.deb) {
    execFileSync("apt-get", ["download", "--quiet", set.deb], { cwd: whole, stdio: "ignore" });
    const [archive = ""] = globSync("*.deb", { cwd: whole });
    execFileSync("dpkg-deb", ["--extract", join(whole, archive), whole]);
  } else {
    execFileSync("git", ["init", "--quiet", whole]);
    execFileSync("git", ["-C", whole, "fetch", "--quiet", "--depth", "1", set.git ?? "", set.commit ?? ""]);
    execFileSync("git", ["-C", whole, "checkout", "--quiet", "FETCH_HEAD"]);
  }
  for (const folder of set.folders) {
    const usual = folder === "." ? "*.md" : set.npm === undefined && folder === "docs" ? "*.rst" : "**/*.{md,mdx,rst}";
    const shown = set.folders.length > 1 ? basename(folder) : "";
    const from = join(whole, folder);
    for (const file of globSync(set.files ?? usual, { cwd: from })) {
      if (set.files === undefined && /^(?:changes|license|changelog)\./i.test(file)) continue;
      cpSync(join(from, file), join(target, shown, file));
    }
  }
  rmSync(whole, { recursive: true, force: true });
  return target;
}
