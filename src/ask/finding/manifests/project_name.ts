/** The name of the current project. A question may contain it although no text of the project does. */
import { basename } from "node:path";
import { Manifests } from "./manifests.ts";

const NAMES: readonly (readonly [file: string, line: RegExp])[] = [
  ["package.json", /^ {0,4}"name":\s*"(?:@[^"/]+\/)?([^"]+)",?\s*$/],
  ["pyproject.toml", /^name\s*=\s*"([^"]+)"\s*$/],
  ["Cargo.toml", /^name\s*=\s*"([^"]+)"\s*$/],
  ["composer.json", /^ {0,4}"name":\s*"(?:[^"/]+\/)?([^"]+)",?\s*$/],
  ["go.mod", /^module (?:\S+\/)?([^\s/]+?)(?:\/v\d+)?\s*$/],
];
const MIN_NAME_CHARS = 2;

/**
 * The words, in lower case, of the project's names that occur in the question. A name with several words must occur
 * whole.
 */
export function projectNameIn(root: string, query: string): string[] {
  const manifests = new Manifests(root);
  const folder = basename(root);
  const stated = NAMES.flatMap(([file, line]) => {
    const found = manifests.lines(file).find((each) => line.test(each));
    return line.exec(found ?? "")?.[1] ?? [];
  });
  // The folder of a clone may be named `owner__name`.
  const names = [...stated, folder, folder.split("__").at(-1) ?? folder];
  const asked = ` ${wordsOf(query).join(" ")} `;
  const said = names
    .map(wordsOf)
    .filter((words) => words.join("").length >= MIN_NAME_CHARS && asked.includes(` ${words.join(" ")} `));
  return [...new Set(said.flat())];
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
