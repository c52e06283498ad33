/** The versions that manifests state: of languages and runtimes, of dependencies, and of the project itself. */
import type { Passage } from "../../passage.ts";
import { termsOf } from "../../question/terms.ts";
import { dependenciesIn } from "./dependencies.ts";
import { type Manifests, statedIn } from "./manifests.ts";

interface Requirement {
  file: string;
  /** Names by which questions call the language or runtime. */
  names: string;
  /** Finds the line. */
  line: RegExp;
}

const REQUIREMENTS: readonly Requirement[] = [
  { file: "go.mod", names: "Go golang", line: /^go \d\S*$/ },
  { file: "package.json", names: "Node nodejs", line: /^\s*"node":\s*"[^"]+",?$/ },
  { file: "package.json", names: "Bun", line: /^\s*"bun":\s*"[^"]+",?$/ },
  { file: "package.json", names: "Bun", line: /^\s*"packageManager":\s*"bun@[^"]+",?$/ },
  { file: "package.json", names: "pnpm", line: /^\s*"(?:packageManager":\s*"pnpm@|pnpm":\s*")[^"]+",?$/ },
  { file: "package.json", names: "Yarn", line: /^\s*"(?:packageManager":\s*"yarn@|yarn":\s*")[^"]+",?$/ },
  { file: ".nvmrc", names: "Node nodejs", line: /^v?\d\S*$/ },
  { file: ".node-version", names: "Node nodejs", line: /^v?\d\S*$/ },
  { file: "pyproject.toml", names: "Python", line: /^requires-python\s*=.+$/ },
  { file: "setup.cfg", names: "Python", line: /^python_requires\s*=.+$/ },
  { file: "Cargo.toml", names: "Rust rustc", line: /^rust-version\s*=.+$/ },
  { file: "composer.json", names: "PHP", line: /^\s*"php":\s*"[^"]+",?$/ },
  { file: ".ruby-version", names: "Ruby", line: /^(?:ruby-)?\d\S*$/ },
  { file: "Gemfile", names: "Ruby", line: /^ruby\s.+$/ },
  { file: "pom.xml", names: "Java JDK", line: /^\s*<(?:java\.version|maven\.compiler\.(?:release|source))>.+$/ },
];

/** The lines in which a project states its own version. */
const OWN_VERSIONS: readonly (readonly [file: string, line: RegExp])[] = [
  ["package.json", /^ {0,4}"version":\s*"[^"]+",?$/],
  ["pyproject.toml", /^version\s*=\s*"[^"]+"$/],
  ["Cargo.toml", /^version\s*=\s*"[^"]+"$/],
  ["composer.json", /^ {0,4}"version":\s*"[^"]+",?$/],
];

const ABOUT_VERSIONS = termsOf(
  "version require need minimum minimal least supported support use project install work run current depend dependency",
);
const OWN_WORDS = termsOf("version current project repository package this latest checkout");
const VERSION = termsOf("version");
const MAX_DEPENDENCIES = 4;

/** `hasName`: the question has the project's name, which is not among the words in `asked`. */
export function versions(asked: ReadonlySet<string>, manifests: Manifests, hasName: boolean): Passage[] {
  if (!VERSION.isSubsetOf(asked)) return [];
  const found = required(asked, manifests);
  // "Which Node version is required?" does not ask about `node-fetch`.
  return found.length > 0 ? found : [...ofDependencies(asked, manifests), ...own(asked, manifests, hasName)];
}

function required(asked: ReadonlySet<string>, manifests: Manifests): Passage[] {
  const named = REQUIREMENTS.filter(({ names }) => {
    const own = termsOf(names);
    return !asked.isDisjointFrom(own) && asked.isSubsetOf(own.union(ABOUT_VERSIONS));
  });
  return named.flatMap(({ file, names, line }) => {
    const stated = manifests.line(file, line);
    if (!stated) return [];
    const section = `${names.split(" ")[0]} version required`;
    return statedIn(file, section, [stated], `The ${section}, as \`${file}\` states it: \`${stated.text}\``);
  });
}

/**
 * Answers "which werkzeug version is required?". Part of a name is not enough: `http-errors` states no version of HTTP.
 */
function ofDependencies(asked: ReadonlySet<string>, manifests: Manifests): Passage[] {
  const subject = asked.difference(ABOUT_VERSIONS);
  if (subject.size === 0) return [];
  return dependenciesIn(manifests)
    .filter(({ name }) => {
      const whole = termsOf(name);
      return subject.isSubsetOf(whole) && termsOf(shortName(name)).isSubsetOf(asked);
    })
    .slice(0, MAX_DEPENDENCIES)
    .map(({ file, name, stated }) => {
      const section = `${name} version required`;
      return statedIn(file, section, [stated], `The ${section}, as \`${file}\` states it: \`${stated.text}\``);
    });
}

/** The short name of a module: `cobra` for `github.com/spf13/cobra/v2`. */
function shortName(name: string): string {
  return (
    name
      .replace(/\/v\d+$/, "")
      .split("/")
      .at(-1) ?? name
  );
}

function own(asked: ReadonlySet<string>, manifests: Manifests, hasName: boolean): Passage[] {
  const isOwn = asked.isSubsetOf(OWN_WORDS) && (hasName || asked.size > VERSION.size);
  if (!isOwn) return [];
  return OWN_VERSIONS.flatMap(([file, line]) => {
    const stated = manifests.line(file, line);
    if (!stated) return [];
    const section = "Version of this project";
    return statedIn(
      file,
      section,
      [stated],
      `The current version of this project, as \`${file}\` states it: \`${stated.text}\``,
    );
  });
}
