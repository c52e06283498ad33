/** A place that dex names, as a link to the view that shows it: `id#5`, `src/a.ts:12`, `docs:a.md#section`, a commit. */
import { codeHref, conversationHref, documentHref } from "./links.ts";
import { visible } from "./text/visible.ts";

const COMMIT = /^[0-9a-f]{7,64}$/;
const FILE_LINE = /^([^\s:]+):(\d+)(?:-\d+)?$/;
const MESSAGE = /^([\w.:~-]+)#(\d+)$/;

const DOCUMENT = /^[^\s:/#]+:[^\s:#]+\.\w+(?:#\S+)?$/;
const ENTITY = /^(file|decision|conversation):(.+)$/;

/** Undefined if no view shows it. */
export function placeHref(place: string, project?: string): string | undefined {
  const [, kind, name = ""] = ENTITY.exec(place) ?? [];
  if (kind === "file") return codeHref(name, { project });
  if (kind === "decision") return decisionHref(name, project);
  if (kind === "conversation") return placeHref(name, project) ?? conversationHref(name);
  if (DOCUMENT.test(place)) return documentHref(place);
  const [, id, index] = MESSAGE.exec(place) ?? [];
  if (id) return conversationHref(id, Number(index));
  const [, file, line] = FILE_LINE.exec(place) ?? [];
  if (file) return codeHref(file, { line: Number(line), project });
  return COMMIT.test(place) ? commitHref(place, project) : undefined;
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

export function PlaceLink({ place, project }: { place: string; project?: string | undefined }) {
  const href = placeHref(place, project);
  const shown = visible(place).replace(/^([0-9a-f]{8})[0-9a-f-]{20,}(#\d+)?$/, "$1…$2");
  return href ? (
    <a class="place" href={href} title={place}>
      {shown}
    </a>
  ) : (
    <span class="place" title={place}>
      {shown}
    </span>
  );
}
