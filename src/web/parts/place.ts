/**
 * A place that dex names, `id#5`, `src/a.ts:12`, `docs:a.md#section`, a commit, or one of these with its kind before it
 * (`file:src/a.ts`): the view that shows it, and its name for a reader.
 */
import { codeHref, conversationHref, documentHref } from "./links.ts";
import { visible } from "./text/visible.ts";

const COMMIT = /^[0-9a-f]{7,64}$/;
const FILE_LINE = /^([^\s:]+):(\d+)(?:-\d+)?$/;
const MESSAGE = /^([\w.:~-]+)#(\d+)$/;
const DOCUMENT = /^[^\s:/#]+:[^\s:#]+\.\w+(?:#\S+)?$/;
const LONG_ID = /^((?:\w+:)?[0-9a-f]{8})[0-9a-f-]{20,}(#\d+)?$/;
const SHORT_COMMIT_CHARS = 12;

type Kind = "file" | "gap" | "deprecated" | "decision" | "conversation" | "commit" | "doc";

/** The kind before a place, as suggestions have it. A collection may have the name of a kind. */
function entityOf(place: string): { kind?: Kind; name: string } {
  const [, kind, name = ""] = /^(file|gap|deprecated|decision|conversation|commit|doc):(.+)$/.exec(place) ?? [];
  const isCollection = (kind === "doc" && !DOCUMENT.test(name)) || (kind === "commit" && !COMMIT.test(name));
  return kind === undefined || isCollection ? { name: place } : { kind: kind as Kind, name };
}

/** Undefined if no view shows it. */
export function placeHref(place: string, project?: string): string | undefined {
  const { kind, name } = entityOf(place);
  if (kind === "file" || kind === "gap") return codeHref(name, { project });
  if (kind === "deprecated") return codeHref(fileOfSymbol(name), { project });
  if (kind === "decision") return decisionHref(name, project);
  if (kind === "conversation") return placeHref(name, project) ?? conversationHref(name);
  if (DOCUMENT.test(name)) return documentHref(name);
  const [, id, index] = MESSAGE.exec(name) ?? [];
  if (id) return conversationHref(id, Number(index));
  const [, file, line] = FILE_LINE.exec(name) ?? [];
  if (file) return codeHref(file, { line: Number(line), project });
  return COMMIT.test(name) ? commitHref(name, project) : undefined;
}

/** Its name without the kind, which the view around it tells; long ids are shortened. */
export function placeName(place: string): string {
  const { kind, name } = entityOf(place);
  if (kind === "decision") return `decision ${visible(name)}`;
  if (kind === "commit") return name.slice(0, SHORT_COMMIT_CHARS);
  if (kind === "deprecated") return visible(fileOfSymbol(name));
  return visible(name).replace(LONG_ID, "$1…$2");
}

/** `file#symbol` */
function fileOfSymbol(name: string): string {
  const at = name.lastIndexOf("#");
  return at > 0 ? name.slice(0, at) : name;
}

/** A decision on the board. */
export function decisionHref(id: string, project?: string): string {
  const query = new URLSearchParams({ all: "1", id });
  if (project !== undefined) query.set("project", project);
  return `/decisions?${query.toString()}`;
}

/** A commit among its neighbours. */
export function commitHref(sha: string, project?: string): string {
  return `/timeline?${new URLSearchParams({ commit: sha, ...(project === undefined ? {} : { project }) }).toString()}`;
}
