/** A place that dex names, as a link to the view that shows it: `id#5`, `src/a.ts:12`, a commit. */

const COMMIT = /^[0-9a-f]{7,64}$/;
const FILE_LINE = /^(.+?):(\d+)(?:-\d+)?$/;
const MESSAGE = /^([\w.:~-]+)#(\d+)$/;

/** Undefined if no view shows it. */
export function placeHref(place: string, project?: string): string | undefined {
  const query = project === undefined ? "" : `?project=${encodeURIComponent(project)}`;
  const message = MESSAGE.exec(place);
  if (message?.[1]) return `/c/${encodeURIComponent(message[1])}/${message[2]}`;
  const file = FILE_LINE.exec(place);
  if (file?.[1] && !file[1].includes(" "))
    return `${codeHref(file[1])}${query === "" ? "?" : `${query}&`}line=${file[2]}`;
  if (COMMIT.test(place))
    return `/timeline?commit=${place}${project === undefined ? "" : `&project=${encodeURIComponent(project)}`}`;
  return undefined;
}

export function codeHref(path: string): string {
  return `/code/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export function PlaceLink({ place, project }: { place: string; project?: string | undefined }) {
  const href = placeHref(place, project);
  const shown = place.replace(/^([0-9a-f]{8})[0-9a-f-]{20,}(#\d+)?$/, "$1…$2");
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
