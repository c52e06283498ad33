/**
 * The documentation of an npm package: the documents that the package ships, and, if those are few, the documentation in
 * its repository at that version, or the pages that its homepage lists in llms.txt. Nothing of a package is run, and a
 * package must match its stated checksum.
 */

import { Readable } from "node:stream";
import { DexError } from "../../kernel/errors.ts";
import { asArray, asNumber, asObject, asString, type Json, type JsonObject } from "../../kernel/json.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { type DocsPlace, docsPlace, hasMoved } from "../catalogue/place.ts";
import { isTranslation } from "../catalogue/selection.ts";
import type { CollectionSource } from "../declaring/source.ts";
import { getWeb } from "../net/fetch.ts";
import { lineOf, parseVersion } from "../versions/ranges.ts";
import type { GatherContext, Gathered, PackagePart, PackageReport } from "./gather.ts";
import { slices, unpackTar } from "./package.ts";
import { checkIntegrity, npmFailure, pickVersion, readListing, registryFor, withHost } from "./registry.ts";
import { isDocument, selector } from "./walk.ts";
import { requireOk } from "./web_answer.ts";

const MAX_PACKAGE_BYTES = 128 << 20;
/** A package with at least this much documentation of its own needs no other. */
const ENOUGH_TOKENS = 8000;
/** Less than this in all places together is called little. */
const LITTLE_TOKENS = 3000;

type NpmSource = Extract<CollectionSource, { kind: "npm" }>;

export async function gatherNpm(source: NpmSource, context: GatherContext, now: () => number): Promise<Gathered> {
  const { name, range } = source;
  const registry = registryFor(name, context);
  const limits = { ...context.limits, allowPrivate: withHost(context.limits, registry.url) };
  const listing = await readListing(name, registry, limits);
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
  const tarball = asString(dist.tarball);
  if (tarball === undefined) throw npmFailure(`${name}@${version} has no package to fetch.`);
  const sameHost = URL.canParse(tarball) && new URL(tarball).host === new URL(registry.url).host;
  const most = { ...limits, maxBytes: MAX_PACKAGE_BYTES, timeoutMs: limits.timeoutMs * 10 };
  const answer = await getWeb(tarball, most, sameHost ? registry.headers : {});
  requireOk(answer, tarball);
  checkIntegrity(answer.bytes, dist, `${name}@${version}`);
  const updated = Date.parse(asString(asObject(listing.time)[version]) ?? "") || now();
  const own = await givePackage(source, version, answer.bytes, updated, context);
  const others = await giveOthers(source, version, listing, own, place, context, now);
  const parts = [own.part, ...others.parts];
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

interface OwnDocuments {
  part: PackagePart;
  /** Whether the package ships more than a README. */
  enough: boolean;
}

async function givePackage(
  { name, exclude }: NpmSource,
  version: string,
  tarball: Buffer,
  updated: number,
  context: GatherContext,
): Promise<OwnDocuments> {
  const files = await unpackTar(Readable.from(slices(tarball)), `${name}@${version}`, context);
  const { leavesOut } = selector({ include: [], exclude });
  const part: PackagePart = { from: "package", place: `npm:${name}@${version}`, documents: 0, tokens: 0 };
  let telling = 0;
  for (const { path: full, bytes } of files) {
    // npm ignores the name of the first folder.
    const path = full.split("/").slice(1).join("/");
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

function partOf(value: JsonObject): PackagePart {
  const note = asString(value.note);
  const from = value.from === "repository" || value.from === "homepage" ? value.from : "package";
  return {
    from,
    place: asString(value.place) ?? "",
    documents: asNumber(value.documents) ?? 0,
    tokens: asNumber(value.tokens) ?? 0,
    ...(note === undefined ? {} : { note }),
  };
}
