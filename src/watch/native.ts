/**
 * The operating system's own notices, through @parcel/watcher. Its program code for this machine comes with an optional
 * package, so that it may be missing.
 */
import type * as Parcel from "@parcel/watcher";
import { errorMessage } from "../kernel/errors.ts";

export type Native = Pick<typeof Parcel, "subscribe">;

export async function loadNative(): Promise<{ native: Native } | { reason: string }> {
  try {
    return { native: await import("@parcel/watcher") };
  } catch (error) {
    return { reason: errorMessage(error).split("\n")[0] ?? "" };
  }
}
