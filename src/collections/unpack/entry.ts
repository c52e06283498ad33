/**
 * Limits on the contents of a foreign package. dex never uses the names in it as paths on this machine. Even so, a name
 * that leaves its folder, a device file or a link to the outside does not belong in documentation: dex refuses such a
 * package as a whole.
 */
import { DexError } from "../../kernel/errors.ts";
import { formatBytes, formatCount } from "../../kernel/text.ts";

export interface UnpackLimits {
  /** Of one file. */
  maxFile: number;
  /** Of all files together, unpacked. */
  maxTotal: number;
  maxEntries: number;
  /**
   * Skip links that lead outside, like all links, instead of refusing the package: git made this archive, not a
   * stranger.
   */
  anyLinks?: true;
}

export interface Unpacked {
  path: string;
  bytes: Buffer;
}

export interface UnpackSink {
  /** Whether a file is worth unpacking. */
  wants(path: string): boolean;
  file(path: string, bytes: Buffer): void;
  /** A wanted file that could not be unpacked. */
  failed(path: string, error: string): void;
  skipped(path: string, reason: string): void;
}

/** Packed text rarely shrinks more than thirtyfold. */
const MAX_GROWTH_FACTOR = 200;
const GROWTH_COUNTS_FROM = 32 << 20;

export function checkName(name: string, what: string): string {
  const path = name
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/+$/, "");
  const bad =
    path.includes("\0") ||
    path.startsWith("/") ||
    /^[A-Za-z]:/.test(path) ||
    path.split("/").includes("..") ||
    path.length > 4096;
  if (bad) throw refusal(what, `holds "${name.slice(0, 200).replaceAll("\0", "")}", a path that leaves the package`);
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

/** Links are not followed; one that leads outside shows what the package is for. */
export function checkLink(path: string, target: string, what: string, hard = false): void {
  // A hard link names its target from the root of the package, a symbolic one from its own folder.
  const folder = hard ? [] : path.split("/").slice(0, -1);
  const parts = target.startsWith("/") ? undefined : target.replaceAll("\\", "/").split("/");
  for (const part of parts ?? []) {
    if (part === "..") {
      if (folder.pop() === undefined) throw refusal(what, `links "${path}" to "${target}", outside the package`);
    } else if (part !== "" && part !== ".") folder.push(part);
  }
  if (!parts) throw refusal(what, `links "${path}" to "${target}", outside the package`);
}

/** Counts unpacked files and bytes, and refuses a package that exceeds a limit. */
export class Meter {
  readonly #limits: UnpackLimits;
  readonly #what: string;
  #entries = 0;
  #total = 0;

  constructor(limits: UnpackLimits, what: string) {
    this.#limits = limits;
    this.#what = what;
  }

  entry(): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.maxEntries) {
      throw refusal(this.#what, `holds more than ${formatCount(this.#limits.maxEntries)} files`);
    }
  }

  bytes(unpacked: number, packedSoFar: number): void {
    this.#total += unpacked;
    if (this.#total > this.#limits.maxTotal) {
      throw refusal(this.#what, `unpacks to more than ${formatBytes(this.#limits.maxTotal)}`);
    }
    if (this.#total > GROWTH_COUNTS_FROM && this.#total > packedSoFar * MAX_GROWTH_FACTOR) {
      throw refusal(this.#what, `unpacks to more than ${MAX_GROWTH_FACTOR} times its size`);
    }
  }
}

export function refusal(what: string, why: string): DexError {
  return new DexError("bad_package", `${what} was refused: it ${why}.`, {
    hint: "dex indexed nothing of it. Ask for a package without such files, or unpack it by hand and add the folder.",
  });
}

export function damaged(what: string, why: string): DexError {
  return new DexError("bad_package", `${what} cannot be unpacked: ${why}.`, {
    hint: "Fetch it again.",
  });
}

/** The reason for leaving out a large file; the same for every source. */
export function largerThan(maxBytes: number): string {
  return `is larger than ${formatBytes(maxBytes)}; docs.maxFileBytes sets that limit`;
}
