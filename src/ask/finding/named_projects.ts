/**
 * The projects that a question names: "How did we fix the leak in ledger-web?" is about one project, and a conversation of
 * another one answers it only if it names that project, too.
 */
import { lastName } from "../../kernel/files/paths.ts";
import { placesOf } from "../evidence/named_collections.ts";
import { wordsOf } from "./manifests/project_name.ts";

export interface NamedProject {
  /** The name of its folder. */
  name: string;
  words: readonly string[];
}

/** A single word may be a common one, unless the question ends with it as a place: "… in ledger?" */
const AS_PLACE = /\b(?:in|of|for|from|on)(?: the| our)? $/i;
const END = /^(?: (?:repo|repository|project))?\s*[?.!]*\s*$/i;

/** `folders`: those of the projects that have conversations. */
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

/** Those of the names that a text or a path has, also as a part of another name. */
export function namesIn(projects: readonly NamedProject[], text: string): string[] {
  if (projects.length === 0) return [];
  const all = ` ${wordsOf(text).join(" ")} `;
  return projects.map(({ words }) => words.join(" ")).filter((name) => all.includes(` ${name} `));
}
