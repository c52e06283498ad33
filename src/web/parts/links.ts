/** Addresses of things, in one place. */

/** A conversation, at one of its messages if given. */
export function conversationHref(id: string, index?: number | null): string {
  return `/c/${encodeURIComponent(id)}${index == null ? "" : `/${index}`}`;
}

/** A file of a project, at a line if given. */
export function codeHref(path: string, line?: number, project?: string): string {
  const query = new URLSearchParams();
  if (project) query.set("project", project);
  if (line) query.set("line", String(line));
  const text = query.toString();
  return `/code/${path.split("/").map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

/** A section of a document: its id is `collection:path#section`. */
export function documentHref(id: string): string {
  return `/docs?${new URLSearchParams({ id }).toString()}`;
}
