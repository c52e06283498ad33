/** The target of a question, or an error that says where the name occurs: the graph has no fields and no local names. */
import { findTarget, type Target } from "../../code/answers/target.ts";
import { type CodeProject, openCode } from "../../code/project.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import type { CodeReader } from "../../store/code.ts";
import { patternFor } from "../../text/patterns.ts";
import { noCode } from "./chosen_project.ts";

const MAX_PLACES = 8;
/** Any letter may be part of a name: `größe`. */
const LAST_NAME = patternFor(String.raw`[\p{L}\p{M}\p{N}_$]+[?!]?(?=(?:\(\))?$)`);

/** `inProject` turns a typed path into a path of the project. */
export async function knownTarget(
  project: CodeProject,
  store: CodeReader,
  typed: string,
  inProject: (path: string) => string | undefined,
): Promise<Target> {
  try {
    return nearestFirst(findTarget(store, typed, inProject), inProject(".") ?? "");
  } catch (error) {
    if (store.totals().files === 0 && isMissing(project)) throw noCode(project.root, project.root);
    if (!(error instanceof DexError) || error.code !== "no_symbol" || !project.git) throw error;
    throw await withPlaces(error, project, store, typed);
  }
}

/** Of several packages with a symbol of the same name, the one that the user stands in comes first. */
function nearestFirst(target: Target, folder: string): Target {
  const shared = ({ path }: { path: string }): number => {
    const [names, own] = [folder.split("/"), path.split("/")];
    const differs = names.findIndex((name, i) => name !== own[i]);
    return differs < 0 ? names.length : differs;
  };
  return folder === "" ? target : { ...target, symbols: target.symbols.toSorted((a, b) => shared(b) - shared(a)) };
}

/** Whether the project was never indexed. This call must not index it, so it has no answer. */
function isMissing(project: CodeProject): boolean {
  const { store, missing } = openCode(project);
  store.close();
  return missing;
}

async function withPlaces(error: DexError, project: CodeProject, store: CodeReader, typed: string): Promise<DexError> {
  const { placesLeftOut, placesOf } = await import("../../project/impact/text_mentions.ts");
  const text = typed.trim();
  const name = LAST_NAME(text).exec(text)?.[0] ?? "";
  const places = (await placesOf(project.root, store, name)) ?? [];
  const leftOut = places.length > 0 ? [] : await placesLeftOut(project.root, store, name);
  const all = leftOut.length > 0 ? leftOut : places;
  if (all.length === 0) return error;
  const shown = all.slice(0, MAX_PLACES).map(({ file, line }) => `${file}:${line}`);
  const rest = all.length > shown.length ? ", …" : "";
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
  const why = reasons.length > 0 ? ` of files that dex left out (${reasons.join(", ")})` : "";
  const where = `"${name}" occurs in ${plural(all.length, "line")}${why}: ${shown.join(", ")}${rest}.`;
  return new DexError(error.code, error.message, {
    hint: error.hint?.startsWith("Similar") ? `${where} ${error.hint}` : where,
    exitCode: error.exitCode,
  });
}
