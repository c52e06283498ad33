/** The scripts, tasks and targets that a project is built and tested with. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Passage } from "../../passage.ts";
import { termsOf } from "../../question/terms.ts";
import { type Manifests, type StatedLine, statedIn } from "./manifests.ts";

const MAX_SCRIPTS = 60;
const MAX_SHOWN_SCRIPTS = 8;
/** The package manager of a project, by its lock file. */
const PACKAGE_MANAGERS: readonly (readonly [file: string, name: string])[] = [
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
];

const ABOUT_SCRIPTS = termsOf("run start execute command script npm project locally all code check make");

interface Script {
  file: string;
  name: string;
  /** The command as a person types it. */
  typed: string;
  /** The command that it runs; empty if unknown. */
  runs: string;
  stated: StatedLine;
}

/**
 * Empty unless the question has a word of a script's name and otherwise only words about scripts. A script for something
 * else with the same verb does not answer: `examples:install` is not how the project is installed.
 */
export function scripts(asked: ReadonlySet<string>, manifests: Manifests): Passage[] {
  const all = [...ofPackage(manifests), ...ofMise(manifests), ...ofMake(manifests)];
  return [...Map.groupBy(all, ({ file }) => file)].flatMap(([file, own]) => {
    const fitting = own
      .slice(0, MAX_SCRIPTS)
      .map((script) => ({ ...script, words: termsOf(script.name) }))
      // "check" alone does not match `eval:baseline-check`.
      .filter(({ words }) => !asked.difference(ABOUT_SCRIPTS).isDisjointFrom(words) || words.isSubsetOf(asked))
      // Scripts with more words of the question come first, then shorter names: `test` before `test:watch`.
      .sort(
        (a, b) =>
          b.words.intersection(asked).size - a.words.intersection(asked).size ||
          a.words.size - b.words.size ||
          a.stated.line - b.stated.line,
      )
      .slice(0, MAX_SHOWN_SCRIPTS);
    const known = fitting.reduce((terms, { words }) => terms.union(words), ABOUT_SCRIPTS);
    if (!asked.isSubsetOf(known) || !fitting.some((script) => isAskedFor(script, asked))) return [];
    const items = fitting.map(({ typed, runs }) => `- \`${typed}\`${runs === "" ? "" : ` runs \`${runs}\``}`);
    const stated = fitting.map((script) => script.stated);
    return statedIn(file, "Scripts to run", stated, items.join("\n"));
  });
}

/** Its whole name is in the question, or its first word is, as for `test:unit` and "run the tests". */
function isAskedFor(
  { name, words }: { name: string; words: ReadonlySet<string> },
  asked: ReadonlySet<string>,
): boolean {
  const [first = ""] = name.split(/[:_.-]/);
  return words.isSubsetOf(asked.union(ABOUT_SCRIPTS)) || !termsOf(first).isDisjointFrom(asked);
}

function ofPackage(manifests: Manifests): Script[] {
  const file = "package.json";
  const manager = PACKAGE_MANAGERS.find(([lock]) => existsSync(join(manifests.root, lock)))?.[1] ?? "npm";
  return manifests.between(file, /^\s*"scripts":\s*\{\s*$/, /^\s*\}/).flatMap((stated): Script[] => {
    const [, name, command] = /^"([^"]+)":\s*"((?:[^"\\]|\\.)*)",?$/.exec(stated.text) ?? [];
    if (name === undefined || command === undefined) return [];
    return [{ file, name, typed: `${manager} run ${name}`, runs: command.replaceAll('\\"', '"'), stated }];
  });
}

function ofMise(manifests: Manifests): Script[] {
  const file = "mise.toml";
  return manifests.lines(file).flatMap((line, at): Script[] => {
    const name = /^\[tasks\.(?:"([^"]+)"|([\w:-]+))\]$/.exec(line.trim())?.slice(1).find(Boolean);
    if (name === undefined) return [];
    const rest = manifests.lines(file).slice(at + 1);
    const end = rest.findIndex((each) => each.startsWith("["));
    const below = end < 0 ? rest : rest.slice(0, end);
    const runs = below.map((each) => /^run\s*=\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(each)?.[1]).find(Boolean) ?? "";
    return [{ file, name, typed: `mise run ${name}`, runs, stated: { text: line.trim(), line: at + 1 } }];
  });
}

/** Targets of a Makefile, and recipes of a justfile, which may have parameters with defaults. */
const TARGETS: readonly (readonly [file: string, tool: string, line: RegExp])[] = [
  ["Makefile", "make", /^([A-Za-z][\w-]*)\s*:(?!=)/],
  ["justfile", "just", /^@?([A-Za-z][\w-]*)(?:\s[^:]*)?:(?!=)/],
];

function ofMake(manifests: Manifests): Script[] {
  return TARGETS.flatMap(([file, tool, line]) =>
    manifests.lines(file).flatMap((text, at): Script[] => {
      const name = line.exec(text)?.[1];
      if (name === undefined) return [];
      const runs = /^\s+[@-]?(.*)$/.exec(manifests.lines(file)[at + 1] ?? "")?.[1]?.trim() ?? "";
      return [{ file, name, typed: `${tool} ${name}`, runs, stated: { text: text.trim(), line: at + 1 } }];
    }),
  );
}
