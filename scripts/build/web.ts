/**
 * Bundles the page into `dist/web`: one entry for the shell, one chunk per view, and the fonts. All names but those of the
 * page itself carry a hash of their content, so that a browser may keep them forever. `manifest.json` lists
 * the files: the server answers with these and no others.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin, transform } from "esbuild";
import { INTEGRATIONS } from "../../src/integrations/registry.ts";
import { noticesOf, packagesIn } from "./notices.ts";

/** The path under which the server answers with files of `dist/web`. */
const PUBLIC = "/assets/";
const NOTICES = "notices.txt";
export interface WebManifest {
  /** Names of files beside the manifest. */
  files: string[];
  /** The files that each entry loads: the shell before the first paint, a view when it is opened. Read by the size check. */
  loads: Record<string, string[]>;
}

/** A view imports its style sheet as an address: the shell links it before it shows the view. */
const linkedSheets: Plugin = {
  name: "linked-sheets",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true, target: TARGETS });
      return { contents: code, loader: "file" };
    });
  },
};

const TARGETS = ["chrome123", "firefox128", "safari17.5"];

function agentNames(): Record<string, string> {
  return Object.fromEntries(INTEGRATIONS.map(({ id, name }) => [id, name]));
}

export async function buildWeb(root: string): Promise<void> {
  const outdir = join(root, "dist/web");
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const common = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    platform: "browser",
    target: TARGETS,
    minify: true,
    metafile: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: PUBLIC,
    legalComments: "linked",
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"', DEX_AGENT_NAMES: JSON.stringify(agentNames()) },
  } satisfies BuildOptions;
  const [scripts, early, styles] = await Promise.all([
    build({
      ...common,
      entryPoints: { main: "src/web/main.tsx" },
      format: "esm",
      splitting: true,
      jsx: "automatic",
      jsxImportSource: "preact",
      plugins: [linkedSheets],
    }),
    build({ ...common, entryPoints: { early: "src/web/early.ts" }, format: "iife" }),
    build({
      ...common,
      entryPoints: { shell: "src/web/styles/shell.css" },
      loader: { ".woff2": "file" },
    }),
  ]);
  const entry = (metafile: Metafile, source: string): string => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source);
    if (!found) throw new Error(`${source} was not built`);
    return basename(found[0]);
  };
  const main = entry(scripts.metafile, "src/web/main.tsx");
  const theme = entry(early.metafile, "src/web/early.ts");
  const sheet = entry(styles.metafile, "src/web/styles/shell.css");
  copyFileSync(join(root, "src/web/icon.svg"), join(outdir, "icon.svg"));
  const outputs = { ...scripts.metafile.outputs, ...early.metafile.outputs, ...styles.metafile.outputs };
  const fonts = Object.keys(outputs).flatMap((path) => (path.endsWith(".woff2") ? [basename(path)] : []));
  const fontNamed = (start: string): string => PUBLIC + (fonts.find((file) => file.startsWith(start)) ?? "");
  const page = readFileSync(join(root, "src/web/index.html"), "utf8")
    .replace("early.js", PUBLIC + theme)
    .replace("shell.css", PUBLIC + sheet)
    .replace("main.js", PUBLIC + main)
    .replace("<!-- chunks -->", preloads(loadedBy(outputs, main).slice(1)))
    .replace("sans.woff2", fontNamed("geist-latin"))
    .replace("serif.woff2", fontNamed("source-serif"));
  writeFileSync(join(root, "dist/web/index.html"), page);
  writeFileSync(join(outdir, NOTICES), noticesOf(root, packagesIn([scripts.metafile, styles.metafile])));
  const built = [...Object.keys(outputs).map((path) => basename(path)), "icon.svg", NOTICES];
  const manifest: WebManifest = {
    files: ["index.html", ...built],
    loads: {
      shell: [theme, sheet, ...loadedBy(outputs, main)],
      fonts,
      ...Object.fromEntries(viewsOf(outputs).map(([name, file]) => [name, loadedBy(outputs, file, main)])),
    },
  };
  writeFileSync(join(root, "dist/web/manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Without them the browser asks for the imports of the first script only when it has read it. */
function preloads(files: readonly string[]): string {
  return files.map((file) => `<link rel="modulepreload" href="${PUBLIC}${file}">`).join("\n    ");
}

type Outputs = Metafile["outputs"];

/** Every folder of `views` is one dynamic import of the shell. */
function viewsOf(outputs: Outputs): [string, string][] {
  return Object.entries(outputs).flatMap(([path, { entryPoint }]) => {
    const name = /src\/web\/views\/(\w+)\/view\.tsx$/.exec(entryPoint ?? "")?.[1];
    return name ? [[name, basename(path)]] : [];
  });
}

/** The file, all that it imports at once, and its style sheets; without those that `before` has loaded. */
function loadedBy(outputs: Outputs, file: string, before?: string): string[] {
  const known = new Set(before ? loadedBy(outputs, before) : []);
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || known.has(name)) return;
    found.add(name);
    for (const { path, kind } of byName.get(name)?.imports ?? []) {
      if (kind === "import-statement" || kind === "file-loader") visit(basename(path));
    }
  };
  visit(file);
  return [...found];
}
