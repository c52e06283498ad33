/**
 * File events of the operating system, by @parcel/watcher. Its binary for this platform is an optional package, which
 * may be missing.
 */
import type * as Parcel from "@parcel/watcher";
import { errorMessage } from "../../kernel/errors.ts";

export type Native = Pick<typeof Parcel, "subscribe">;

export async function loadNative(): Promise<{ native: Native } | { reason: string }> {
  try {
    return { native: await import("@parcel/watcher") };
  } catch (error) {
    return { reason: errorMessage(error).split("\n")[0] ?? "" };
  }
}
