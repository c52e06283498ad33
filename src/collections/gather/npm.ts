/**
 * The documentation of an npm package: the documents that the package ships, and, if those are few, the documentation in
 * its repository at that version, or the pages that its homepage lists in llms.txt. Nothing of a package is run, and a
 * package must match its stated checksum.
 */
import { Readable } from "node:stream";
import { DexError } from "../../kernel/errors.ts";
import { asArray, asNumber, asObject, asString, type Json, type JsonObject } from "../../kernel/json.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { apiReference, isDeclarationFile } from "../catalogue/api_reference.ts";
import { type DocsPlace, docsPlace, hasMoved } from "../catalogue/place.ts";
import { isTranslation } from "../catalogue/selection.ts";
import type { CollectionSource } from "../declaring/source.ts";
import type { Unpacked } from "../unpack/entry.ts";
import { highestIn, lineOf, parseVersion } from "../versions/ranges.ts";
import type { GatherContext, Gathered, PackagePart, PackageReport } from "./gather.ts";
import { slices, unpackTar } from "./package.ts";
import { fetchTarball, pickVersion, readListing, shareRegistry } from "./registry.ts";
import { isDocument, selector } from "./walk.ts";

/** A package with at least this much documentation of its own needs no other. */
const ENOUGH_TOKENS = 8000;
/** Less than this in all places together is called little. */
const LITTLE_TOKENS = 3000;

type NpmSource = Extract<CollectionSource, { kind: "npm" }>;

export async function gatherNpm(source: NpmSource, context: GatherContext, now: () => number): Promise<Gathered> {
  const { name, range } = source;
  const listing = await readListing(name, context);
  const version = pickVersion(listing, name, range);
  const entry = asObject(asObject(listing.versions)[version]);
  const dist = asObject(entry.dist);
  const checksum = asString(dist.integrity) ?? asString(dist.shasum) ?? "";
  const place = context.packages.repositories ? docsPlace(name, version, listing, context) : undefined;
  const known = knownState(context.state);
  const isSame = known.version === version && known.checksum === checksum && checksum !== "" && known.report;
  if (isSame && !(place && known.commit !== undefined && (await hasMoved(place, known.commit, context)))) {
    return { same: true, package: known.report };
  }
  const files = await fetchPackage(name, version, dist, context);
  const updated = Date.parse(asString(asObject(listing.time)[version]) ?? "") || now();
  const own = await givePackage(source, version, files, updated, context);
  const types = own.enough ? [] : await giveTypes(source, version, files, updated, context);
  const others = await giveOthers(source, version, listing, own, place, context, now);
  const parts = [own.part, ...types, ...others.parts];
  const report: PackageReport = { name, version, parts, ...advice(name, version, parts) };
  const failed = others.parts.some(({ failed: each }) => each);
  const earlier = known.version === undefined ? undefined : parseVersion(known.version);
  const current = parseVersion(version);
  const keeps = failed && earlier && current && lineOf(earlier) === lineOf(current);
  return {
    // After a failure no checksum is kept, so the next sync tries again.
    state: { version, checksum: failed ? "" : checksum, ...stateOf(report, others.commit) },
    package: report,
    ...(keeps ? { partial: true } : {}),
  };
}

/** The documents and declaration files of a package. */
async function fetchPackage(
  name: string,
  version: string,
  dist: JsonObject,
  context: GatherContext,
): Promise<Unpacked[]> {
  const what = `${name}@${version}`;
  const bytes = await fetchTarball(name, version, dist, context);
  const stream = Readable.from(slices(bytes));
  const files = await unpackTar(stream, what, context, {}, isDeclarationFile);
  // npm ignores the name of the first folder.
  return files.map((file) => ({ ...file, path: file.path.split("/").slice(1).join("/") }));
}

/** An API reference from the declaration files of the package, or of its `@types` package. */
async function giveTypes(
  { name, exclude }: NpmSource,
  version: string,
  files: readonly Unpacked[],
  updated: number,
  context: GatherContext,
): Promise<PackagePart[]> {
  const own = files.filter(({ path }) => isDeclarationFile(path));
  const found =
    own.length > 0 ? { place: `npm:${name}@${version}`, files: own } : await typesPackage(name, version, context);
  if (!found) return [];
  const part: PackagePart = { from: "types", place: found.place, documents: 0, tokens: 0 };
  const { leavesOut } = selector({ include: [], exclude });
  for (const { path, text } of apiReference(name, found.files)) {
    if (leavesOut(path)) continue;
    await context.sink.file({ path, location: `${found.place}/${path}`, bytes: Buffer.from(text), updated });
    part.documents += 1;
    part.tokens += estimateTokens(text);
  }
  return part.documents > 0 ? [part] : [];
}

/** The declarations that others wrote for a package, of the same minor or at least major version. */
async function typesPackage(
  name: string,
  version: string,
  context: GatherContext,
): Promise<{ place: string; files: Unpacked[] } | undefined> {
  const [major, minor] = parseVersion(version) ?? [];
  if (major === undefined || name.startsWith("@types/")) return undefined;
  const types = `@types/${name.replace(/^@/, "").replace("/", "__")}`;
  // Another registry must not learn the name of a private package.
  if (!shareRegistry(name, types, context)) return undefined;
  try {
    const listing = await readListing(types, context);
    const versions = Object.keys(asObject(listing.versions));
    const fitting = highestIn(`${major}.${minor}`, versions) ?? highestIn(`${major}`, versions);
    if (fitting === undefined) return undefined;
    const dist = asObject(asObject(asObject(listing.versions)[fitting]).dist);
    const files = await fetchPackage(types, fitting, dist, context);
    return { place: `npm:${types}@${fitting}`, files: files.filter(({ path }) => isDeclarationFile(path)) };
  } catch (error) {
    // Most packages have none.
    if (error instanceof DexError && error.code === "npm_failed") return undefined;
    throw error;
  }
}

interface OwnDocuments {
  part: PackagePart;
  /** Whether the package ships more than a README. */
  enough: boolean;
}

async function givePackage(
  { name, exclude }: NpmSource,
  version: string,
  files: readonly Unpacked[],
  updated: number,
  context: GatherContext,
): Promise<OwnDocuments> {
  const { leavesOut } = selector({ include: [], exclude });
  const part: PackagePart = { from: "package", place: `npm:${name}@${version}`, documents: 0, tokens: 0 };
  let telling = 0;
  for (const { path, bytes } of files) {
    if (!isPackageDocument(path) || leavesOut(path)) continue;
    await context.sink.file({ path, location: `npm:${name}@${version}/${path}`, bytes, updated });
    const tokens = estimateTokens(bytes.toString("utf8"));
    part.documents += 1;
    part.tokens += tokens;
    if (!/(?:^|\/)(?:changelog|history|changes|contributing|code_of_conduct|security)\b[^/]*$/i.test(path))
      telling += tokens;
  }
  return { part, enough: telling >= ENOUGH_TOKENS };
}

/** Asks the repository, then the homepage, until one of them has documentation. */
async function giveOthers(
  source: NpmSource,
  version: string,
  listing: JsonObject,
  own: OwnDocuments,
  place: DocsPlace | undefined,
  context: GatherContext,
  now: () => number,
): Promise<{ parts: PackagePart[]; commit?: string }> {
  const parts: PackagePart[] = [];
  let commit: string | undefined;
  if (own.enough && !place?.known) return { parts };
  if (place) {
    const { giveRepository } = await import("../catalogue/repository.ts");
    const given = await attempt({ from: "repository", place: place.url }, context, () =>
      giveRepository(place, source, version, context, now),
    );
    parts.push(given.part);
    commit = given.commit;
    if (given.part.documents > 0) return { parts, ...(commit === undefined ? {} : { commit }) };
  }
  const latest = asString(asObject(listing["dist-tags"]).latest);
  if (context.packages.repositories && version === latest) {
    const { giveHomepage, homepageOf } = await import("../catalogue/homepage.ts");
    const homepage = homepageOf(asObject(asObject(listing.versions)[version]));
    if (homepage !== undefined)
      parts.push(
        (await attempt({ from: "homepage", place: homepage }, context, () => giveHomepage(homepage, context, now)))
          .part,
      );
  }
  return { parts, ...(commit === undefined ? {} : { commit }) };
}

type Given = { documents: number; tokens: number; note?: string; commit?: string };

/** A place that cannot be reached makes the sync incomplete; the other places still count. */
async function attempt(
  about: Pick<PackagePart, "from" | "place">,
  { sink }: GatherContext,
  give: () => Promise<Given>,
): Promise<{ part: PackagePart; commit?: string }> {
  try {
    const { commit, ...given } = await give();
    return { part: { ...about, ...given }, ...(commit === undefined ? {} : { commit }) };
  } catch (error) {
    if (!(error instanceof DexError) || error.code === "too_large") throw error;
    sink.failed(about.place, error.message);
    return { part: { ...about, documents: 0, tokens: 0, note: error.message, failed: true } };
  }
}

function advice(name: string, version: string, parts: readonly PackagePart[]): { advice?: string } {
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  if (tokens >= LITTLE_TOKENS) return {};
  const failed = parts.some((part) => part.failed);
  const next = failed
    ? "Run `dex docs sync` again when the rest can be reached."
    : `If it is elsewhere, name that place: \`dex docs add ${name}@${version} git+https://… --path docs --replace\`, or a web address.`;
  return { advice: `dex found little documentation of ${name} ${version}. ${next}` };
}

/** Leaves out licences, fixtures, translations and built pages, which nobody searches for. */
function isPackageDocument(path: string): boolean {
  if (!isDocument(path) || /(?:^|\/)(?:node_modules|test|tests|__tests__|fixtures)\//.test(path)) return false;
  if (/(?:^|\/)licen[cs]e[^/]*$/i.test(path) || isTranslation(path)) return false;
  return (
    /\.(?:md|markdown|mdx|rst|adoc)$/i.test(path) ||
    /(?:^|\/)(?:docs?|guides?)\//i.test(path) ||
    !/\.[a-z]+$/i.test(path)
  );
}

function stateOf(report: PackageReport, commit: string | undefined): JsonObject {
  const parts = report.parts.map((part): JsonObject => ({ ...part }));
  return {
    parts,
    ...(report.advice === undefined ? {} : { advice: report.advice }),
    name: report.name,
    ...(commit === undefined ? {} : { commit }),
  };
}

interface KnownState {
  version?: string;
  checksum?: string;
  commit?: string;
  report?: PackageReport;
}

function knownState(state: Json | undefined): KnownState {
  const { version, checksum, commit, name, parts, advice: given } = asObject(state);
  const known = asString(version);
  if (known === undefined) return {};
  const at = asString(commit);
  const advised = asString(given);
  return {
    version: known,
    checksum: asString(checksum) ?? "",
    ...(at === undefined ? {} : { commit: at }),
    // An older dex kept no parts: the package is then read again.
    ...(parts === undefined
      ? {}
      : {
          report: {
            name: asString(name) ?? "",
            version: known,
            parts: asArray(parts).map((part) => partOf(asObject(part))),
            ...(advised === undefined ? {} : { advice: advised }),
          },
        }),
  };
}

const PARTS = ["package", "types", "repository", "homepage"] as const;

function partOf(value: JsonObject): PackagePart {
  const note = asString(value.note);
  return {
    from: PARTS.find((each) => each === value.from) ?? "package",
    place: asString(value.place) ?? "",
    documents: asNumber(value.documents) ?? 0,
    tokens: asNumber(value.tokens) ?? 0,
    ...(note === undefined ? {} : { note }),
  };
}
