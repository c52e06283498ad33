/** Other facts that manifests state: the licence, the dependencies, the package manager, and the entry points. */
import { globSync } from "node:fs";
import type { Passage } from "../../passage.ts";
import { termsOf } from "../../question/terms.ts";
import { dependenciesIn } from "./dependencies.ts";
import { type Manifests, type StatedLine, statedIn } from "./manifests.ts";

const MAX_SHOWN_DEPENDENCIES = 30;
const MAX_ENTRIES = 8;

interface FoundLine {
  file: string;
  found: StatedLine;
}

const FACTS: readonly {
  section: string;
  /** The question must have one of these words, */
  subject: ReadonlySet<string>;
  /** and no words besides these. */
  about: ReadonlySet<string>;
  places: readonly (readonly [file: string, line: RegExp])[];
  /** Finds more lines in another way. */
  more?(manifests: Manifests): FoundLine[];
  /** Finds lines in another way if the places have none. */
  otherwise?(manifests: Manifests): FoundLine[];
}[] = [
  {
    section: "License of this project",
    subject: termsOf("license licence licensed"),
    about: termsOf("license licence licensed project code under release package repository this use kind"),
    places: [
      ["package.json", /^ {0,4}"license":\s*"[^"]+",?$/],
      ["pyproject.toml", /^license\s*=.+$/],
      ["Cargo.toml", /^license\s*=.+$/],
      ["composer.json", /^ {0,4}"license":\s*"[^"]+",?$/],
    ],
    otherwise: licenceFile,
  },
  {
    section: "Package manager of this project",
    subject: termsOf("manager"),
    about: termsOf("package manager project use repository this version"),
    places: [["package.json", /^\s*"packageManager":\s*"[^"]+",?$/]],
  },
  {
    section: "Entry points: the main file, where the program starts",
    subject: termsOf("entry entrypoint main"),
    about: termsOf(
      "entry entrypoint point main file module package program project start command line cli tool app application function binary",
    ),
    places: [
      ["package.json", /^ {0,4}"main":\s*"[^"]+",?$/],
      ["package.json", /^ {0,4}"module":\s*"[^"]+",?$/],
      ["package.json", /^ {0,4}"bin":\s*"[^"]+",?$/],
    ],
    more: entries,
  },
];

const LICENCE_FILES = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "LICENCE.md", "COPYING"];
/** Its title, as in `MIT License`, and the line below the title with its version. */
const LICENCE_TITLE = /\blicen[cs]e\b/i;
const LICENCE_VERSION = /^\s*version \d/i;
const MAX_TITLE_LINES = 5;

/** Tables whose lines are entry points. */
const ENTRY_TABLES: readonly (readonly [file: string, start: RegExp, end: RegExp])[] = [
  ["package.json", /^ {0,4}"bin":\s*\{/, /^\s*\}/],
  ["pyproject.toml", /^\[project\.scripts\]/, /^\[/],
];

/** Files in which a program starts, by the conventions of each language. */
const MAIN_FILES: readonly (readonly [pattern: string, line: RegExp])[] = [
  ["main.go", /^func main\(\)/],
  ["cmd/*/main.go", /^func main\(\)/],
  ["src/main.rs", /^fn main\(\)/],
];

const DEPENDENCIES = termsOf("dependency dependencies depend");
const ABOUT_DEPENDENCIES = termsOf(
  "dependency dependencies depend package library libraries project runtime direct install list need external",
);

export function facts(asked: ReadonlySet<string>, manifests: Manifests): Passage[] {
  const stated = FACTS.flatMap(({ section, subject, about, places, more, otherwise }) => {
    if (asked.isDisjointFrom(subject) || !asked.isSubsetOf(about)) return [];
    const lines = places.flatMap(([file, line]) => {
      const found = manifests.line(file, line);
      return found ? [{ file, found }] : [];
    });
    const others = lines.length === 0 ? (otherwise?.(manifests) ?? []) : [];
    return passages(section, [...lines, ...(more?.(manifests) ?? []), ...others]);
  });
  return [...stated, ...listed(asked, manifests)];
}

/** The first lines of the file with the licence's text. */
function licenceFile(manifests: Manifests): FoundLine[] {
  const file = LICENCE_FILES.find((name) => manifests.lines(name).length > 0);
  if (file === undefined) return [];
  const lines = manifests.lines(file).filter((line) => line.trim() !== "");
  return [LICENCE_TITLE, LICENCE_VERSION].flatMap((pattern) => {
    const isAtTop = lines.slice(0, MAX_TITLE_LINES).some((line) => pattern.test(line));
    const found = isAtTop ? manifests.line(file, pattern) : undefined;
    return found ? [{ file, found }] : [];
  });
}

function entries(manifests: Manifests): FoundLine[] {
  const listed = ENTRY_TABLES.flatMap(([file, start, end]) =>
    manifests.between(file, start, end).map((found) => ({ file, found })),
  );
  const mains = MAIN_FILES.flatMap(([pattern, line]) =>
    globSync(pattern, { cwd: manifests.root })
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
      .slice(0, MAX_ENTRIES)
      .flatMap((file) => {
        const found = manifests.line(file, line);
        return found ? [{ file, found }] : [];
      }),
  );
  return [...listed, ...mains].slice(0, MAX_ENTRIES);
}

function passages(section: string, lines: readonly FoundLine[]): Passage[] {
  return [...Map.groupBy(lines, ({ file }) => file)].map(([file, own]) => {
    const items = own.map(({ found }) => `- ${section}, as \`${file}\` states it: \`${found.text}\``);
    return statedIn(
      file,
      section,
      own.map(({ found }) => found),
      items.join("\n"),
    );
  });
}

function listed(asked: ReadonlySet<string>, manifests: Manifests): Passage[] {
  if (asked.isDisjointFrom(DEPENDENCIES) || !asked.isSubsetOf(ABOUT_DEPENDENCIES)) return [];
  const needed = dependenciesIn(manifests).filter(({ dev }) => !dev);
  return [...Map.groupBy(needed, ({ file }) => file)].map(([file, own]) => {
    const shown = own.slice(0, MAX_SHOWN_DEPENDENCIES).map(({ stated }) => `- \`${stated.text.replace(/,$/, "")}\``);
    const more = own.length > shown.length ? [`- and ${own.length - shown.length} more`] : [];
    const text = [`The dependencies of this project, as \`${file}\` lists them:`, "", ...shown, ...more].join("\n");
    return statedIn(
      file,
      "Dependencies of this project",
      own.map(({ stated }) => stated),
      text,
    );
  });
}
