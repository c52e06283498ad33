/** The packages that a project depends on, as its manifests list them. */
import type { Manifests, StatedLine } from "./manifests.ts";

export interface Dependency {
  file: string;
  name: string;
  stated: StatedLine;
  /** Needed only to work on the project. */
  dev: boolean;
}

const MAX_DEPENDENCIES = 500;

interface List {
  file: string;
  start: RegExp;
  end: RegExp;
  /** Has the name of a package. */
  line: RegExp;
  dev?: boolean;
}

const JSON_LINE = /^"([^"]+)":\s*"[^"]*",?$/;
const QUOTED = /^"([\w.-]+)[^"]*",?$/;
const TABLE_LINE = /^([\w.-]+)\s*=/;

const LISTS: readonly List[] = [
  ...["package.json", "composer.json"].flatMap((file): List[] => [
    { file, start: /^\s*"(?:dependencies|require)":\s*\{/, end: /^\s*\}/, line: JSON_LINE },
    { file, start: /^\s*"peerDependencies":\s*\{/, end: /^\s*\}/, line: JSON_LINE },
    { file, start: /^\s*"(?:devDependencies|require-dev)":\s*\{/, end: /^\s*\}/, line: JSON_LINE, dev: true },
  ]),
  { file: "pyproject.toml", start: /^dependencies\s*=\s*\[\s*$/, end: /^\]/, line: QUOTED },
  { file: "pyproject.toml", start: /^\[tool\.poetry\.dependencies\]/, end: /^\[/, line: TABLE_LINE },
  { file: "Cargo.toml", start: /^\[dependencies\]/, end: /^\[/, line: TABLE_LINE },
  { file: "Cargo.toml", start: /^\[dev-dependencies\]/, end: /^\[/, line: TABLE_LINE, dev: true },
  { file: "go.mod", start: /^require \($/, end: /^\)/, line: /^(\S+) v\S+$/ },
];

export function dependenciesIn(manifests: Manifests): Dependency[] {
  const found = LISTS.flatMap(({ file, start, end, line, dev = false }) =>
    manifests.between(file, start, end).flatMap((stated): Dependency[] => {
      const name = line.exec(stated.text)?.[1];
      return name === undefined ? [] : [{ file, name, stated, dev }];
    }),
  );
  return found.slice(0, MAX_DEPENDENCIES);
}
