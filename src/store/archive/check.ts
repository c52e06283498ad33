/**
 * Checks whether archive files are undamaged. Decompressing every frame compares its checksum, at about 200 MB of
 * history per second: a few seconds for most homes, so there is no faster, weaker check.
 */
import { fstatSync } from "node:fs";
import { join } from "node:path";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
import { readDirectory } from "./archive.ts";
import { frameLines, scanFrames, withFile } from "./frames.ts";

export type ArchiveCheck =
  | { state: "sound"; messages: number; bytes: number }
  /** Messages before the damage can still be read. */
  | { state: "damaged"; found: string; messages: number }
  /** The disk or its permissions prevent reading, so the state of the file is unknown. */
  | { state: "unreadable"; found: string };

const REFUSALS = new Set(["EACCES", "EPERM", "EIO", "EMFILE", "ENFILE", "ENOMEM", "ESTALE"]);

/** Whether an error comes from the system, and so tells nothing about the content of a file. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DexError || REFUSALS.has(systemCode(error) ?? "");
}

export function checkArchived(folder: string, path: string): ArchiveCheck {
  let messages = 0;
  try {
    const bytes = withFile(join(folder, path), (fd) => {
      const { size } = fstatSync(fd);
      const frames = scanFrames(fd);
      const last = frames.at(-1);
      for (const frame of frames) {
        if (frameLines(fd, frame) !== frame.lines) throw new Error(`the frame at byte ${frame.offset} lost lines`);
        if (frame.kind === "messages") messages += frame.lines;
      }
      const whole = last ? last.offset + last.length : 0;
      if (whole !== size) throw new Error(`${size - whole} bytes from byte ${whole} on are not readable`);
      return size;
    });
    const archived = readDirectory(folder, path);
    if (!archived || archived.unfinished || archived.length !== bytes) throw new Error("its last segment has no end");
    const tail = archived.blocks.at(-1);
    return { state: "sound", messages: tail ? tail.first + tail.count : 0, bytes };
  } catch (error) {
    if (isRefusal(error)) return { state: "unreadable", found: systemCode(error) ?? errorMessage(error) };
    return { state: "damaged", found: errorMessage(error), messages };
  }
}
