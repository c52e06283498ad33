/** The folder of a project, for people. A project's id is its `.git` folder, which all its worktrees share. */
import { cleanText } from "../../text/clean.ts";

export function projectFolder(id: string): string {
  return cleanText(id.replace(/(?<=.)[/\\]\.git$/, ""));
}
