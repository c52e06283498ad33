/** The paths of the API: the words of a verb, with slashes. `dex decisions accept` is at `/api/decisions/accept`. */

export const API_PREFIX = "/api/";
export const OPENAPI_PATH = "/api/openapi.json";
export const LIVE_PATH = "/api/events";

export function verbPath(verb: string): string {
  return API_PREFIX + verb.replaceAll(" ", "/");
}

/** Undefined when the path cannot be that of a verb. */
export function verbAt(path: string): string | undefined {
  const words = path.slice(API_PREFIX.length);
  return /^[a-z]+(?:-[a-z]+)*(?:\/[a-z]+(?:-[a-z]+)*){0,3}$/.test(words) ? words.replaceAll("/", " ") : undefined;
}
