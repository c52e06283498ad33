/**
 * Finds the projects that a question names. "How did we fix the leak in ledger-web?" is about one project; a
 * conversation of another project answers it only if it names that project, too.
 */
import { lastName } from "../../kernel/files/paths.ts";
import { wordsOf } from "../finding/manifests/project_name.ts";
import { placesOf } from "./named_collections.ts";

export interface NamedProject {
  /** The name of its folder. */
  name: string;
  words: readonly string[];
}

/** A name of one word may be a common word, so it counts only as a place at the end of the question: "… in ledger?" */
const AS_PLACE = /\b(?:in|of|for|from|on)(?: the| our)? $/i;
const END = /^(?: (?:repo|repository|project))?\s*[?.!]*\s*$/i;

/** `folders`: the folders of projects with conversations. */
export function namedProjects(question: string, folders: readonly string[]): NamedProject[] {
  const names = new Set(folders.map((folder) => lastName(folder).toLowerCase()));
  return [...names]
    .map((name) => ({ name, words: wordsOf(name) }))
    .filter(({ words }) => {
      const places = placesOf(question, words);
      if (words.length > 1) return places.length > 0;
      return places.some(([start, end]) => AS_PLACE.test(question.slice(0, start)) && END.test(question.slice(end)));
    });
}

/** The names that occur in a text or a path, also as part of a longer name. */
export function namesIn(projects: readonly NamedProject[], text: string): string[] {
  if (projects.length === 0) return [];
  const all = ` ${wordsOf(text).join(" ")} `;
  return projects.map(({ words }) => words.join(" ")).filter((name) => all.includes(` ${name} `));
}
