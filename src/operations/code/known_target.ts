/** The target of a question, or an error that says where the name occurs: the graph has no fields and no local names. */
import { findTarget, type Target } from "../../code/answers/target.ts";
import { type CodeProject, openCode } from "../../code/project.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import type { CodeReader } from "../../store/code.ts";
import { noCode } from "./chosen_project.ts";

const MAX_PLACES = 8;

/** `inProject` turns a typed path into a path of the project. */
export async function knownTarget(
  project: CodeProject,
  store: CodeReader,
  typed: string,
  inProject: (path: string) => string | undefined,
): Promise<Target> {
  try {
    return findTarget(store, typed, inProject);
  } catch (error) {
    if (store.totals().files === 0 && isMissing(project)) throw noCode(project.root, project.root);
    if (!(error instanceof DexError) || error.code !== "no_symbol" || !project.git) throw error;
    throw await withPlaces(error, project, store, typed);
  }
}

/** Nothing may be said about a project that nobody indexed, and that this call must not index. */
function isMissing(project: CodeProject): boolean {
  const { store, missing } = openCode(project);
  store.close();
  return missing;
}

async function withPlaces(error: DexError, project: CodeProject, store: CodeReader, typed: string): Promise<DexError> {
  const { placesOf } = await import("../../project/impact/text_mentions.ts");
  const name = /[\w$]+[?!]?(?=(?:\(\))?$)/.exec(typed.trim())?.[0] ?? "";
  const places = (await placesOf(project.root, store, name)) ?? [];
  if (places.length === 0) return error;
  const shown = places.slice(0, MAX_PLACES).map(({ file, line }) => `${file}:${line}`);
  const rest = places.length > shown.length ? ", …" : "";
  const where = `"${name}" occurs in ${plural(places.length, "line")}: ${shown.join(", ")}${rest}.`;
  return new DexError(error.code, error.message, {
    hint: error.hint?.startsWith("Similar") ? `${where} ${error.hint}` : where,
    exitCode: error.exitCode,
  });
}
