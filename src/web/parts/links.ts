/** Addresses of things, in one place. */

/** A conversation, at one of its messages if given. */
export function conversationHref(id: string, index?: number | null): string {
  return `/c/${encodeURIComponent(id)}${index == null ? "" : `/${index}`}`;
}

interface CodePlace {
  project?: string | undefined;
  line?: number | undefined;
  /** The conversation whose lines are marked. */
  by?: string;
}

/** A file of a project, with its path relative to the project. */
export function codeHref(path: string, { project, line, by }: CodePlace = {}): string {
  const query = new URLSearchParams();
  if (project) query.set("project", project);
  if (line) query.set("line", String(line));
  if (by) query.set("by", by);
  const text = query.toString();
  return `/code/${path.split("/").map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

/** A section of a document: its id is `collection:path#section`. */
export function documentHref(id: string): string {
  return `/docs?${new URLSearchParams({ id }).toString()}`;
}

/** A path relative to the project, where it is inside it. */
export function insideOf(project: string, path: string): string {
  const isInside = project !== "" && (path.startsWith(`${project}/`) || path.startsWith(`${project}\\`));
  return isInside ? path.slice(project.length + 1).replaceAll(project.includes("\\") ? "\\" : "/", "/") : path;
}
