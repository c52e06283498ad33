/** Languages by file extension. Each is loaded only when a file needs it. */
import { ownMember } from "../../kernel/own_member.ts";
import type { Family, Language } from "./language.ts";

type Loader = () => Promise<Language>;

const LANGUAGES: Readonly<Record<string, Loader>> = {
  typescript: async () => (await import("./ecmascript/typescript.ts")).typescript,
  tsx: async () => (await import("./ecmascript/typescript.ts")).tsx,
  javascript: async () => (await import("./ecmascript/javascript.ts")).javascript,
  python: async () => (await import("./python/python.ts")).python,
  go: async () => (await import("./go/go.ts")).go,
  rust: async () => (await import("./rust/rust.ts")).rust,
  java: async () => (await import("./java/java.ts")).java,
  kotlin: async () => (await import("./kotlin/kotlin.ts")).kotlin,
  c: async () => (await import("./c/c.ts")).c,
  cpp: async () => (await import("./c/c.ts")).cpp,
  csharp: async () => (await import("./csharp/csharp.ts")).csharp,
  ruby: async () => (await import("./ruby/ruby.ts")).ruby,
  php: async () => (await import("./php/php.ts")).php,
  scala: async () => (await import("./scala.ts")).scala,
  lua: async () => (await import("./lua.ts")).lua,
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  py: "python",
  pyi: "python",
  go: "go",
  rs: "rust",
  java: "java",
  kt: "kotlin",
  kts: "kotlin",
  c: "c",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  inl: "cpp",
  ipp: "cpp",
  tcc: "cpp",
  tpp: "cpp",
  cs: "csharp",
  rb: "ruby",
  php: "php",
  scala: "scala",
  sc: "scala",
  lua: "lua",
};

/** The language of a file by its path; undefined for files that dex does not read. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (isConfig(name)) return "config";
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (extension === "md" || extension === "mdx" || extension === "rst") return "document";
  return ownMember(EXTENSIONS, extension);
}

const FAMILIES: Readonly<Record<string, Family>> = {
  typescript: "ecmascript",
  tsx: "ecmascript",
  javascript: "ecmascript",
  python: "python",
  go: "go",
  rust: "rust",
  java: "jvm",
  kotlin: "jvm",
  c: "c",
  cpp: "c",
  csharp: "csharp",
  ruby: "ruby",
  php: "php",
  scala: "jvm",
  lua: "lua",
  document: "document",
  config: "config",
};

export function familyOf(language: string): Family {
  const family = FAMILIES[language];
  if (!family) throw new Error(`unknown language ${language}`);
  return family;
}

const loaded = new Map<string, Promise<Language>>();

/** Node takes as long to import a module a second time as reading some lines of code does. */
export async function loadLanguage(name: string): Promise<Language> {
  const known = loaded.get(name);
  if (known) return known;
  const loader = LANGUAGES[name];
  if (!loader) throw new Error(`unknown language ${name}`);
  const loading = loader();
  loaded.set(name, loading);
  return loading;
}

/** Files that configure how imports resolve. */
function isConfig(name: string): boolean {
  return /^(package\.json|(ts|js)config(\.[\w-]+)*\.json|deno\.jsonc?|import[-_]?map\.json|go\.mod|go\.work|Cargo\.toml|pyproject\.toml|setup\.cfg)$/.test(
    name,
  );
}

/** Grammars of all languages, for the build. */
export async function grammars(): Promise<Language["grammar"][]> {
  const all = await Promise.all(Object.values(LANGUAGES).map((load) => load()));
  return [...new Map(all.map(({ grammar }) => [grammar.file, grammar])).values()];
}
