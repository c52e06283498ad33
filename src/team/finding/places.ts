/** Where this home keeps what it fetched from its team. */
import { rmSync } from "node:fs";
import { join } from "node:path";

/** dex does not use a cache that it has not checked for this long. */
export const MAX_UNCHECKED_MS: number = 7 * 86_400_000;

export interface TeamPlaces {
  /** Where the access to the team and the cache are. */
  team: string;
  archive: string;
}

export function cacheFolder(team: string): string {
  return join(team, "cache");
}

/** Everything in it can be fetched again, as far as the team still has it. */
export function removeCache(team: string): void {
  rmSync(cacheFolder(team), { recursive: true, force: true });
}
