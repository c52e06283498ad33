/** Whether this machine has joined a team. Cheap: it is all that a dex without a team ever does about teams. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** A file with the address and the secret of this machine. */
export function accessFile(folder: string): string {
  return join(folder, "access.json");
}

export function hasTeam(folder: string): boolean {
  return existsSync(accessFile(folder));
}
