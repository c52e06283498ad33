/**
 * The folder that a client works in. Some clients start servers in the user's home or in `/`, and say only as roots
 * which project they have open. Roots are a part of the protocol up to 2025-11-25; later clients pass `project`.
 */
import { realpathSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/server";
import { currentFolder } from "../kernel/files/current_folder.ts";
import { isBelow } from "../kernel/files/paths.ts";

/** A client that does not answer must not delay the first call for long. */
const ROOTS_TIMEOUT_MS = 2000;
const MAX_ROOTS = 100;

/** A function that asks the client once, and again when its roots have changed. Undefined: the folder of this process. */
export function clientFolder(server: Server): () => Promise<string | undefined> {
  let asked: Promise<string | undefined> | undefined;
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    asked = undefined;
  });
  return async () => {
    if (!server.getClientCapabilities()?.roots) return undefined;
    asked ??= server
      .listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS })
      .then(({ roots }) => folderAmong(roots.slice(0, MAX_ROOTS).map(({ uri }) => uri)))
      .catch(() => undefined);
    return asked;
  };
}

/** The folder of this process where a root contains it, otherwise the first root that is a folder here. */
export function folderAmong(uris: readonly string[]): string | undefined {
  const cwd = currentFolder();
  const folders = uris.flatMap((uri) => folderOf(uri) ?? []);
  return folders.some((folder) => isBelow(folder, cwd)) ? undefined : folders[0];
}

function folderOf(uri: string): string | undefined {
  try {
    const path = realpathSync(fileURLToPath(uri));
    return statSync(path).isDirectory() ? path : undefined;
  } catch {
    return undefined;
  }
}
