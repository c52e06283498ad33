/**
 * Finds the versions that the manifests of a project require, and its scripts. Documents rarely repeat them, and
 * `go 1.24` has one of the words of "which Go version is required?". A question that has any other word is about
 * something else, so nothing is found for it.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { OWN_DOCUMENTS } from "../collections/declaring/own_documents.ts";
import { readContainedText } from "../kernel/files/bounded_read.ts";
import { redactLines } from "../redact/lines.ts";
import type { Passage } from "./passage.ts";
import { significantTerms, termsOf } from "./terms.ts";

const MAX_BYTES = 1 << 20;
const MAX_SCRIPTS = 60;
const MAX_SHOWN_SCRIPTS = 8;
/** By the lock file of a project. */
const PACKAGE_MANAGERS: readonly (readonly [file: string, name: string])[] = [
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
];

interface Requirement {
  file: string;
  /** Names of the language or runtime, as questions have them. */
  names: string;
  /** Finds the line. */
  line: RegExp;
}

const REQUIREMENTS: readonly Requirement[] = [
  { file: "go.mod", names: "Go golang", line: /^go \d\S*$/ },
  { file: "package.json", names: "Node nodejs", line: /^\s*"node":\s*"[^"]+",?$/ },
  { file: "package.json", names: "Bun", line: /^\s*"bun":\s*"[^"]+",?$/ },
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

const ABOUT_VERSIONS = termsOf(
  "version require need minimum minimal least supported support use project install work run",
);
const VERSION = termsOf("version");
const ABOUT_SCRIPTS = termsOf("run start execute command script npm project locally");

/** Empty unless the question is about nothing else. `root`: the folder of the project. */
export function findInManifests(root: string, query: string): Passage[] {
  const ownName = termsOf(basename(root));
  const asked = new Set(significantTerms(query)).difference(ownName);
  if (asked.size === 0) return [];
  const files = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    const known = files.get(file) ?? redactLines(readContainedText(root, file, MAX_BYTES) ?? "");
    files.set(file, known);
    return known;
  };
  const manager = PACKAGE_MANAGERS.find(([file]) => existsSync(join(root, file)))?.[1] ?? "npm";
  return [...requirements(asked, linesOf), ...scripts(asked, linesOf("package.json"), manager)];
}

type Lines = (file: string) => readonly string[];

function requirements(asked: ReadonlySet<string>, linesOf: Lines): Passage[] {
  if (!VERSION.isSubsetOf(asked)) return [];
  const named = REQUIREMENTS.filter(({ names }) => {
    const own = termsOf(names);
    return !asked.isDisjointFrom(own) && asked.isSubsetOf(own.union(ABOUT_VERSIONS));
  });
  return named.flatMap(({ file, names, line }) => {
    const at = linesOf(file).findIndex((each) => line.test(each));
    const stated = linesOf(file)[at]?.trim();
    if (stated === undefined) return [];
    const section = `${names.split(" ")[0]} version required`;
    return passageOf(file, section, [at + 1, at + 1], `The ${section}, as \`${file}\` states it: \`${stated}\``);
  });
}

/** The question must have a word of the name of a script. */
function scripts(asked: ReadonlySet<string>, lines: readonly string[], manager: string): Passage[] {
  const first = lines.findIndex((line) => /^\s*"scripts":\s*\{\s*$/.test(line));
  const length = lines.slice(first + 1).findIndex((line) => /^\s*\}/.test(line));
  if (first < 0 || length < 1) return [];
  const all = lines.slice(first + 1, first + 1 + length).flatMap((line, at) => {
    const [, name, command] = /^\s*"([^"]+)":\s*"((?:[^"\\]|\\.)*)",?\s*$/.exec(line) ?? [];
    return name === undefined || command === undefined ? [] : [{ name, command, line: first + 2 + at }];
  });
  const fitting = all
    .slice(0, MAX_SCRIPTS)
    .map((script) => ({ ...script, words: termsOf(script.name) }))
    .filter(({ words }) => !asked.isDisjointFrom(words))
    // `test` comes before `test:watch`.
    .sort((a, b) => a.words.size - b.words.size || a.line - b.line)
    .slice(0, MAX_SHOWN_SCRIPTS);
  const known = fitting.reduce((terms, { words }) => terms.union(words), ABOUT_SCRIPTS);
  if (fitting.length === 0 || !asked.isSubsetOf(known)) return [];
  const items = fitting.map(
    ({ name, command }) => `- \`${manager} run ${name}\` runs \`${command.replaceAll('\\"', '"')}\``,
  );
  const places = fitting.map(({ line }) => line);
  return passageOf("package.json", "Scripts to run", [Math.min(...places), Math.max(...places)], items.join("\n"));
}

function passageOf(document: string, section: string, lines: readonly [number, number], text: string): Passage[] {
  return [{ collection: OWN_DOCUMENTS, document, title: document, section, lines, text, score: 1 }];
}
