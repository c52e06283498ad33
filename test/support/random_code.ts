/** Projects of small random modules that import each other, and random changes to them, in several languages. */
import { CodeFixture } from "./code.ts";
import { between, pick, type Random } from "./random.ts";

const FUNCTIONS = ["alpha", "beta", "gamma", "delta", "epsilon"];
const CLASSES = ["Store", "Cache", "Reader"];
const METHODS = ["load", "fetchIt", "get"];

/**
 * The path of a module, and its text, which imports from other modules and calls functions that may or may not exist.
 */
interface Writer {
  path(name: string): string;
  text(random: Random, names: readonly string[], own: string): string;
}

export const WRITERS: Readonly<Record<string, Writer>> = {
  typescript: { path: (name) => `${name}.ts`, text: typescript },
  python: { path: (name) => `${name}.py`, text: python },
  go: { path: (name) => `${name}.go`, text: go },
  rust: { path: (name) => `src/${name}.rs`, text: rust },
  java: { path: (name) => `${name}.java`, text: java },
  c: { path: (name) => `${name}.h`, text: c },
  document: { path: (name) => `${name}.md`, text: document },
};

export class RandomProject {
  readonly fixture: CodeFixture;
  readonly #random: Random;
  readonly #languages: readonly string[];
  readonly #names = ["a", "b", "c", "sub/d", "sub/e", "f", "h", "i", "sub/j", "other/k", "l", "m"];
  readonly #past = new Map<string, string[]>();

  /** `mixed`: all languages at once. */
  constructor(random: Random, language: string) {
    this.#random = random;
    this.#languages = language === "mixed" ? Object.keys(WRITERS) : [language];
    this.fixture = new CodeFixture({
      "package.json": '{ "name": "p", "imports": { "#lib/*": "./*" } }',
      "go.mod": "module example.com/p\n",
    });
    for (const name of this.#names) this.#write(name);
  }

  /** Returns the paths that may have changed. */
  change(): string[] {
    const random = this.#random;
    const name = pick(random, this.#names);
    const kind = between(random, 0, 6);
    if (kind === 0) return this.#remove(name);
    if (kind === 1) {
      const other = `${pick(random, ["", "sub/", "deep/er/"])}g${this.#names.length}`;
      this.#names.push(other);
      return [...this.#remove(name), ...this.#write(other)];
    }
    if (kind === 2) return this.#again(name);
    if (kind === 3 && random() < 0.5) {
      const to = pick(random, ["", "sub/"]);
      this.fixture.write("package.json", `{ "name": "p", "imports": { "#lib/*": "./${to}*" } }`);
      return ["package.json"];
    }
    if (kind === 4) {
      const made = `sub/${pick(random, ["__init__.py", "index.ts", "mod.rs", "lib.rs"])}`;
      if (random() < 0.5)
        this.fixture.write(made, pick(random, ["", "from .d import *\n", "export * from './d.ts';\n"]));
      else this.fixture.remove(made);
      return [made];
    }
    return this.#write(name);
  }

  #write(name: string): string[] {
    return this.#languages.map((language) => {
      const writer = WRITERS[language] as Writer;
      const path = writer.path(name);
      const text = writer.text(this.#random, this.#names, name);
      this.#past.set(path, [...(this.#past.get(path) ?? []), text]);
      this.fixture.write(path, text);
      return path;
    });
  }

  /** As it was at some time. */
  #again(name: string): string[] {
    return this.#paths(name).map((path) => {
      this.fixture.write(path, pick(this.#random, this.#past.get(path) ?? [""]));
      return path;
    });
  }

  #remove(name: string): string[] {
    const paths = this.#paths(name);
    for (const path of paths) this.fixture.remove(path);
    return paths;
  }

  #paths(name: string): string[] {
    return this.#languages.map((language) => (WRITERS[language] as Writer).path(name));
  }
}

function some(random: Random, least: number, most: number, make: (i: number) => string): string[] {
  return Array.from({ length: between(random, least, most) }, (_, i) => make(i));
}

function call(random: Random, construct: (name: string) => string, of = "."): string {
  return pick(random, [
    `${pick(random, FUNCTIONS)}()`,
    `${construct(pick(random, CLASSES))}${of}get()`,
    `x${of}${pick(random, METHODS)}()`,
  ]);
}

function typescript(random: Random, names: readonly string[], own: string): string {
  const lines = some(random, 0, 3, (i) => {
    const from = `${own.includes("/") ? "../".repeat(own.split("/").length - 1) : "./"}${pick(random, names)}`;
    const name = pick(random, [...FUNCTIONS, ...CLASSES]);
    return pick(random, [
      `import { ${name} } from "${from}.ts";`,
      `import { ${name} } from "${from}";`,
      `import * as ${name}All from "${from}.ts";`,
      `export { ${name} } from "${from}.ts";`,
      `export * from "${from}.ts";`,
      `export * from "./sub";`,
      `import { ${name} as other${i} } from "#lib/${pick(random, names)}.ts";`,
    ]);
  });
  for (const name of some(random, 1, 3, () => pick(random, FUNCTIONS))) {
    const returns = pick(random, ["", `: ${pick(random, CLASSES)}`]);
    lines.push(
      `${pick(random, ["export ", ""])}function ${name}(x?: ${pick(random, CLASSES)})${returns} { ${call(random, (of) => `new ${of}()`)}; return null as never; }`,
    );
  }
  if (random() < 0.6) {
    const base = random() < 0.5 ? ` extends ${pick(random, CLASSES)}` : "";
    lines.push(`export class ${pick(random, CLASSES)}${base} { ${pick(random, METHODS)}() { return this.get(); } }`);
  }
  return `${lines.join("\n")}\n`;
}

function python(random: Random, names: readonly string[]): string {
  const lines = some(random, 0, 3, () => {
    const from = pick(random, names).replaceAll("/", ".");
    const name = pick(random, [...FUNCTIONS, ...CLASSES]);
    return pick(random, [
      `from ${from} import ${name}`,
      `from ${from} import *`,
      `import ${from}`,
      `from .${from} import ${name}`,
      `from sub import ${pick(random, ["d", "e", name])}`,
    ]);
  });
  for (const name of some(random, 1, 3, () => pick(random, FUNCTIONS))) {
    lines.push(`def ${name}(x: ${pick(random, CLASSES)} = None):\n    return ${call(random, (of) => `${of}()`)}`);
  }
  if (random() < 0.6) {
    const base = random() < 0.5 ? `(${pick(random, CLASSES)})` : "";
    lines.push(
      `class ${pick(random, CLASSES)}${base}:\n    def ${pick(random, METHODS)}(self):\n        return self.get()`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function go(random: Random, _: readonly string[], own: string): string {
  const folder = own.split("/").slice(0, -1).join("/");
  const lines = [`package ${folder === "" ? "p" : (folder.split("/").at(-1) ?? "p")}`];
  if (random() < 0.5) lines.push('import "example.com/p/sub"');
  for (const name of some(random, 1, 2, () => pick(random, FUNCTIONS))) {
    lines.push(
      `func ${name}(x *${pick(random, CLASSES)}) { ${pick(random, [call(random, (of) => `${of}{}`), "sub.alpha()"])} }`,
    );
  }
  if (random() < 0.6) lines.push(`type ${pick(random, CLASSES)} struct { ${pick(random, ["", "Store"])} }`);
  if (random() < 0.6) lines.push(`func (s *${pick(random, CLASSES)}) ${pick(random, METHODS)}() { s.get() }`);
  return `${lines.join("\n")}\n`;
}

function rust(random: Random, names: readonly string[]): string {
  const lines = some(random, 0, 2, () => {
    const from = pick(random, names).replaceAll("/", "::");
    const name = pick(random, [...FUNCTIONS, ...CLASSES]);
    return pick(random, [`use crate::${from}::${name};`, `use super::${from}::*;`, `use crate::${from};`]);
  });
  for (const name of some(random, 1, 2, () => pick(random, FUNCTIONS))) {
    lines.push(`pub fn ${name}(x: &${pick(random, CLASSES)}) { ${call(random, (of) => `${of}::new()`)}; }`);
  }
  const type = pick(random, CLASSES);
  if (random() < 0.6) lines.push(`pub struct ${type};`);
  if (random() < 0.6) lines.push(`impl ${type} { pub fn ${pick(random, METHODS)}(&self) { self.get(); } }`);
  return `${lines.join("\n")}\n`;
}

function java(random: Random, _: readonly string[]): string {
  const lines = [`package ${pick(random, ["p", "p.sub", "q"])};`];
  lines.push(
    ...some(random, 0, 2, () => `import ${pick(random, ["p", "p.sub", "q"])}.${pick(random, [...CLASSES, "*"])};`),
  );
  const base = random() < 0.5 ? ` extends ${pick(random, CLASSES)}` : "";
  const methods = some(random, 1, 2, () => {
    const name = pick(random, METHODS);
    return `void ${name}(${pick(random, CLASSES)} x) { ${pick(random, ["x.load(null)", "this.get(null)", "new Store().get(null)"])}; }`;
  });
  lines.push(`public class ${pick(random, CLASSES)}${base} { ${methods.join(" ")} }`);
  return `${lines.join("\n")}\n`;
}

function c(random: Random, names: readonly string[]): string {
  const lines = some(random, 0, 2, () =>
    pick(random, [`#include "${pick(random, names)}.h"`, `#include <${pick(random, names)}.h>`]),
  );
  for (const name of some(random, 1, 2, () => pick(random, FUNCTIONS))) {
    lines.push(`int ${name}(int x) { return ${pick(random, FUNCTIONS)}(x); }`);
  }
  return `${lines.join("\n")}\n`;
}

function document(random: Random, names: readonly string[]): string {
  return `# A page\n\nSee \`${pick(random, names)}.ts\`, \`${pick(random, FUNCTIONS)}\` and \`${pick(random, METHODS)}()\`.\n`;
}
