/** The address of the map of a folder, in the project that is shown. */
import { param } from "../../router.ts";

export function projectHref(folder: string): string {
  const query = new URLSearchParams();
  if (param("project") !== "") query.set("project", param("project"));
  if (folder !== "") query.set("in", folder);
  const text = query.toString();
  return `/code${text === "" ? "" : `?${text}`}`;
}
