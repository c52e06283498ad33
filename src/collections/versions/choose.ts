/**
 * Several collections may document versions of one package. A search without a version uses the one that fits the
 * project best: the version in its lock file, else the nearest to it, else the newest.
 */
import type { Declared } from "../declaring/declared.ts";
import { allows, type LockedVersion } from "./locked.ts";
import { compareVersions, lineOf, parseVersion, type Version } from "./ranges.ts";

export interface VersionChoice {
  package: string;
  /** Name of the chosen collection. */
  collection: string;
  /** The version that it documents, as far as dex knows it. */
  version: string | null;
  /** A sentence. */
  reason: string;
  /** Names of the collections of other versions. */
  others: string[];
}

export interface VersionedCollection {
  id: string;
  name: string;
  /** The last synced version of a package; otherwise the version in the name. */
  version: string | undefined;
}

const NAMED = /^(.+)@(v?\d[\w.-]*|latest|next)$/;

/** The package that a collection documents; undefined: it documents none, or no version of one. */
export function packageOf({ source, name }: Pick<Declared, "source" | "name">): string | undefined {
  return source.kind === "npm" ? source.name : NAMED.exec(name)?.[1];
}

/** The version in a collection's name, `react@18`, if it has one. */
export function versionInName(name: string): string | undefined {
  return NAMED.exec(name)?.[2]?.replace(/^v/, "");
}

export function chooseVersion(
  name: string,
  candidates: readonly VersionedCollection[],
  locked: LockedVersion | undefined,
): { chosen: VersionedCollection; choice: VersionChoice } | undefined {
  const newest = candidates.toSorted((one, other) => compareKnown(other, one) || (one.name < other.name ? -1 : 1));
  const used = locked && lowest(locked.version);
  const ranked = used ? newest.toSorted((one, other) => distance(one, used) - distance(other, used)) : newest;
  const [chosen] = ranked;
  if (!chosen) return undefined;
  return {
    chosen,
    choice: {
      package: name,
      collection: chosen.name,
      version: chosen.version ?? null,
      reason: reasonFor(name, chosen, locked, used),
      others: candidates.filter(({ id }) => id !== chosen.id).map((each) => each.name),
    },
  };
}

function reasonFor(
  name: string,
  chosen: VersionedCollection,
  locked: LockedVersion | undefined,
  used: Version | undefined,
): string {
  if (!locked || !used) return `The project names no version of ${name}; this is the newest here.`;
  const own = parsed(chosen);
  const uses = `${locked.file} has ${name} ${locked.version}`;
  if (chosen.version !== undefined && allows(locked, chosen.version)) return `${uses}.`;
  if (own && lineOf(own) === lineOf(used)) return `${uses}; this is the nearest version here.`;
  return `${uses}, which no collection here documents; this is the nearest version.`;
}

/** Smaller is better: the same version, the same minor, the same major, then the nearest major; the newer of equals. */
function distance(candidate: VersionedCollection, used: Version): number {
  const own = parsed(candidate);
  if (!own) return Number.MAX_SAFE_INTEGER;
  if (compareVersions(own, used) === 0) return 0;
  const same = lineOf(own) === lineOf(used);
  const far =
    Math.abs(own[0] - used[0]) * 1e9 + Math.abs(own[1] - used[1]) * 1e4 + Math.min(9999, Math.abs(own[2] - used[2]));
  return (same ? 1 : 1e12) + far;
}

function compareKnown(one: VersionedCollection, other: VersionedCollection): number {
  const [a, b] = [parsed(one), parsed(other)];
  return a && b ? compareVersions(a, b) : Number(a !== undefined) - Number(b !== undefined);
}

function parsed({ version }: VersionedCollection): Version | undefined {
  return version === undefined ? undefined : lowest(version);
}

/** `18.3.1`, the lowest of `^18.2.0`, or `18.0.0` for `18`. */
function lowest(text: string): Version | undefined {
  const exact = parseVersion(text);
  if (exact) return exact;
  const [, major, minor = "0", patch = "0"] = /(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch), ""];
}
