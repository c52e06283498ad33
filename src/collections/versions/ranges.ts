/** Versions, and npm's version ranges, as far as people use them: `11`, `11.x`, `^1.2`, `~1.2.3`, `>=1 <3`, `1.0.0 - 2.0.0`, `||`. */

/** Major, minor, patch, pre-release. */
export type Version = readonly [number, number, number, string];

interface Bound {
  test(version: Version): boolean;
}

/** The highest version in the range; a release before any pre-release. */
export function highestIn(range: string, versions: readonly string[]): string | undefined {
  const alternatives = range.split("||").map((part) => bounds(part.trim()));
  const fitting = versions.flatMap((text) => {
    const version = parseVersion(text);
    return version && alternatives.some((all) => all?.every((bound) => bound.test(version))) ? [{ text, version }] : [];
  });
  const releases = fitting.filter(({ version }) => version[3] === "");
  const best = (releases.length > 0 ? releases : fitting).toSorted((one, other) =>
    compareVersions(other.version, one.version),
  );
  return best[0]?.text;
}

function bounds(part: string): Bound[] | undefined {
  const span = /^(\S+)\s+-\s+(\S+)$/.exec(part);
  const words = span ? [`>=${span[1]}`, `<=${span[2]}`] : part.replace(/(<=|>=|<|>|=|\^|~)\s+/g, "$1").split(/\s+/);
  const found = words.map(bound);
  return found.some((each) => each === undefined) ? undefined : (found as Bound[]);
}

function bound(word: string): Bound | undefined {
  const [, sign = "", text = ""] = /^(<=|>=|<|>|=|\^|~)?v?(.*)$/.exec(word) ?? [];
  const parts = /^(\d+|[xX*])?(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(text);
  if (!parts) return undefined;
  const numbers: number[] = [];
  for (const digits of parts.slice(1, 4)) {
    if (digits === undefined || !/^\d/.test(digits)) break;
    numbers.push(Number(digits));
  }
  const [major = 0, minor = 0, patch = 0] = numbers;
  const low: Version = [major, minor, patch, parts[4] ?? (numbers.length < 3 ? LOWEST : "")];
  if (numbers.length === 0) return { test: () => true };
  const above = (at: number): Version => [
    at === 0 ? major + 1 : major,
    at === 0 ? 0 : at === 1 ? minor + 1 : minor,
    at === 2 ? patch + 1 : 0,
    LOWEST,
  ];
  const last = numbers.length - 1;
  if (sign === ">=") return { test: (version) => compareVersions(version, low) >= 0 };
  if (sign === "<") return { test: (version) => compareVersions(version, low) < 0 };
  if (sign === ">")
    return { test: (version) => compareVersions(version, last < 2 ? above(last) : low) > (last < 2 ? -1 : 0) };
  if (sign === "<=")
    return {
      test: (version) => (last < 2 ? compareVersions(version, above(last)) < 0 : compareVersions(version, low) <= 0),
    };
  const caret = major > 0 || numbers.length === 1 ? 0 : minor > 0 || numbers.length === 2 ? 1 : 2;
  const reach = sign === "^" ? caret : sign === "~" ? Math.min(1, last) : last;
  if (sign !== "^" && sign !== "~" && last === 2) return { test: (version) => compareVersions(version, low) === 0 };
  return { test: (version) => compareVersions(version, low) >= 0 && compareVersions(version, above(reach)) < 0 };
}

/** Sorts before every pre-release. */
const LOWEST = "0";

export function parseVersion(text: string): Version | undefined {
  const parts = /^v?(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(text);
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3]), parts[4] ?? ""] : undefined;
}

export function compareVersions(one: Version, other: Version): number {
  for (const at of [0, 1, 2] as const) if (one[at] !== other[at]) return one[at] - other[at];
  return comparePre(one[3], other[3]);
}

function comparePre(one: string, other: string): number {
  if (one === other) return 0;
  if (one === "" || other === "") return one === "" ? 1 : -1;
  const [a, b] = [one.split("."), other.split(".")];
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const [x, y] = [a[i], b[i]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (x === y) continue;
    const [nx, ny] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (nx && ny) return Number(x) - Number(y);
    if (nx !== ny) return nx ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

/** The part of a version that breaking changes raise: the major version, or before 1.0.0 the minor one. */
export function lineOf([major, minor]: Version): string {
  return major > 0 ? String(major) : `0.${minor}`;
}
