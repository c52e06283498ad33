/** Reads calls and imports with TypeScript's own compiler, as the reference for dex's answers. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import type { Gold, GoldCall } from "../score.ts";

/** The few parts of the compiler's interface that are used here; the package is installed when the bench runs. */
interface TsNode {
  kind: number;
  parent: TsNode;
  pos: number;
  getStart(): number;
  getEnd(): number;
  getSourceFile(): TsSourceFile;
  name?: TsNode & { text?: string };
  expression?: TsNode;
  tag?: TsNode;
  tagName?: TsNode;
  left?: TsNode;
  right?: TsNode;
  initializer?: TsNode;
  type?: TsNode;
  moduleSpecifier?: TsNode;
  text?: string;
}
interface TsSourceFile extends TsNode {
  fileName: string;
  isDeclarationFile: boolean;
  getLineAndCharacterOfPosition(at: number): { line: number };
}
interface TsSymbol {
  flags: number;
  declarations?: TsNode[];
}
interface TsChecker {
  getSymbolAtLocation(node: TsNode): TsSymbol | undefined;
  getAliasedSymbol(symbol: TsSymbol): TsSymbol;
  getShorthandAssignmentValueSymbol(node: TsNode): TsSymbol | undefined;
  getTypeAtLocation(node: TsNode): { getProperty(name: string): TsSymbol | undefined };
}
interface Compiler {
  SyntaxKind: Record<string, number>;
  SymbolFlags: { Alias: number };
  createProgram(
    files: readonly string[],
    options: object,
  ): {
    getTypeChecker(): TsChecker;
    getSourceFile(path: string): TsSourceFile | undefined;
  };
  forEachChild(node: TsNode, visit: (child: TsNode) => void): void;
  resolveModuleName(
    name: string,
    from: string,
    options: object,
    host: object,
  ): { resolvedModule?: { resolvedFileName: string } };
  readConfigFile(path: string, read: (path: string) => string): { config?: { compilerOptions?: object } };
  convertCompilerOptionsFromJson(json: object, base: string): { options: object };
  sys: object & { readFile(path: string): string };
}

const MAX_EXPORT_STEPS = 5;
const FUNCTIONS = ["ArrowFunction", "FunctionExpression"];
const MEMBERS_OF = ["ClassDeclaration", "ClassExpression", "ObjectLiteralExpression"];

export function typescriptGold(packageFolder: string, root: string, files: readonly string[]): Gold {
  const ts = createRequire(join(packageFolder, "package.json"))("typescript") as Compiler;
  const kinds = new Map(Object.entries(ts.SyntaxKind).map(([name, kind]) => [kind, name]));
  const kindOf = (node: TsNode | undefined): string =>
    node ? (realKind(ts, node.kind) ?? kinds.get(node.kind) ?? "") : "";
  const options = optionsFor(ts, root);
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    options,
  );
  const checker = program.getTypeChecker();
  const own = new Set(files);
  const calls: GoldCall[] = [];
  const imports = new Set<string>();
  const fields = new Map<TsNode, TsNode | null>();
  /** Calls whose callee has a type. In JavaScript many have none. */
  const judged = new Set<string>();

  for (const path of files) {
    const source = program.getSourceFile(join(root, path));
    if (source) visit(source, path, source);
  }
  return {
    calls,
    imports,
    decided: (path, line, name) => !/\.[mc]?jsx?$/.test(path) || judged.has(`${path}:${line}:${name}`),
  };

  function visit(node: TsNode, path: string, source: TsSourceFile): void {
    const kind = kindOf(node);
    const callee =
      kind === "CallExpression" || kind === "NewExpression" || kind === "Decorator"
        ? node.expression
        : kind === "TaggedTemplateExpression"
          ? node.tag
          : kind === "JsxOpeningElement" || kind === "JsxSelfClosingElement"
            ? node.tagName
            : undefined;
    if (callee && kindOf(callee) !== "CallExpression") take(callee, path, source);
    if ((kind === "ImportDeclaration" || kind === "ExportDeclaration") && node.moduleSpecifier?.text !== undefined) {
      bring(node.moduleSpecifier.text, path);
    }
    if (kind === "CallExpression" && loadsModule(node.expression)) {
      const argument = (node as TsNode & { arguments?: TsNode[] }).arguments?.[0];
      if (kindOf(argument) === "StringLiteral" && argument?.text !== undefined) bring(argument.text, path);
    }
    ts.forEachChild(node, (child) => visit(child, path, source));
  }

  function loadsModule(callee: TsNode | undefined): boolean {
    return kindOf(callee) === "ImportKeyword" || (kindOf(callee) === "Identifier" && callee?.text === "require");
  }

  function bring(specifier: string, path: string): void {
    const found = ts.resolveModuleName(specifier, join(root, path), options, ts.sys).resolvedModule?.resolvedFileName;
    const target = found === undefined ? undefined : relative(root, found);
    if (target !== undefined && own.has(target) && target !== path) imports.add(`${path}>${target}`);
  }

  function take(callee: TsNode, path: string, source: TsSourceFile): void {
    const named = ["PropertyAccessExpression", "PropertyAccessChain"].includes(kindOf(callee))
      ? (callee.name ?? callee)
      : callee;
    const symbol = throughExports(throughPattern(unaliased(checker.getSymbolAtLocation(named))));
    const line = source.getLineAndCharacterOfPosition(callee.getEnd()).line + 1;
    if (symbol && named.text !== undefined) judged.add(`${path}:${line}:${named.text}`);
    const targets = (symbol?.declarations ?? []).flatMap((declaration) => targetOf(declaration));
    if (targets.length === 0) return;
    calls.push({ path, line, targets });
  }

  /** `const { run } = options`: the called function is the member, as in the language service. */
  function throughPattern(symbol: TsSymbol | undefined): TsSymbol | undefined {
    const declared = symbol?.declarations?.[0];
    if (
      !symbol ||
      !declared ||
      kindOf(declared) !== "BindingElement" ||
      kindOf(declared.parent) !== "ObjectBindingPattern"
    ) {
      return symbol;
    }
    const name = (declared as TsNode & { propertyName?: TsNode }).propertyName?.text ?? declared.name?.text ?? "";
    return unaliased(checker.getTypeAtLocation(declared.parent).getProperty(name));
  }

  function unaliased(symbol: TsSymbol | undefined): TsSymbol | undefined {
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /** `module.exports = { run }`, `exports.run = run`: the called function is the one that the name stands for. */
  function throughExports(symbol: TsSymbol | undefined): TsSymbol | undefined {
    let at = symbol;
    for (let step = 0; step < MAX_EXPORT_STEPS; step += 1) {
      const declared = at?.declarations?.[0];
      const value = declared && exportedName(declared);
      const next = value && throughPattern(unaliased(value));
      if (!next || next === at) return at;
      at = next;
    }
    return at;
  }

  /** The symbol of the name that a JavaScript declaration gives as its value. */
  function exportedName(declared: TsNode): TsSymbol | undefined {
    const kind = kindOf(declared);
    if (kind === "ShorthandPropertyAssignment") return checker.getShorthandAssignmentValueSymbol(declared);
    const value = kind === "PropertyAssignment" ? declared.initializer : assignedTo(declared);
    return value && kindOf(value) === "Identifier" ? checker.getSymbolAtLocation(value) : undefined;
  }

  /** The value of `a.b = value`, of which TypeScript takes the left side for a declaration. */
  function assignedTo(declared: TsNode): TsNode | undefined {
    const assignment = kindOf(declared) === "BinaryExpression" ? declared : declared.parent;
    let right = kindOf(assignment) === "BinaryExpression" ? assignment.right : undefined;
    while (right && kindOf(right) === "BinaryExpression") right = right.right;
    return right;
  }

  /** A definition with a name of its own, in one of the files. */
  function targetOf(node: TsNode): GoldCall["targets"] {
    const source = node.getSourceFile();
    const path = relative(root, source.fileName);
    const assigned = own.has(path) ? assignedField(node) : undefined;
    if (!own.has(path) || (!assigned && !isDefinition(node))) return [];
    const definition = assigned ?? (kindOf(node) === "Constructor" ? node.parent : named(node));
    const name = definition.name?.text;
    if (name === undefined || !definition.name) return [];
    return [{ path, name, line: source.getLineAndCharacterOfPosition(definition.name.getStart()).line + 1 }];
  }

  /** `this.name = () => …` in the class of a field that has no function of its own: the left side. */
  function assignedField(field: TsNode): TsNode | undefined {
    if (kindOf(field) !== "PropertyDeclaration" || isDefinition(field)) return undefined;
    const known = fields.get(field);
    if (known !== undefined) return known ?? undefined;
    let found: TsNode | undefined;
    const search = (node: TsNode): void => {
      const { left, right } = node;
      const isOwn = kindOf(left?.expression) === "ThisKeyword" && left?.name?.text === field.name?.text;
      if (kindOf(node) === "BinaryExpression" && isOwn && FUNCTIONS.includes(kindOf(right))) found ??= left;
      if (!found) ts.forEachChild(node, search);
    };
    search(field.parent);
    fields.set(field, found ?? null);
    return found;
  }

  /** A function that is assigned to a member has the name of the member, or else its own. */
  function named(node: TsNode): TsNode {
    const fn = assignedTo(node);
    return fn && FUNCTIONS.includes(kindOf(fn)) && kindOf(node) === "BinaryExpression" ? fn : node;
  }

  function isDefinition(node: TsNode): boolean {
    const kind = kindOf(node);
    if (kind === "PropertyAccessExpression" || kind === "BinaryExpression")
      return FUNCTIONS.includes(kindOf(assignedTo(node)));
    if (kind === "ClassExpression") return true;
    if (["FunctionDeclaration", "ClassDeclaration", "MethodSignature", "Constructor"].includes(kind)) return true;
    const above = kindOf(node.parent);
    if (kind === "MethodDeclaration") return MEMBERS_OF.includes(above);
    if (kind === "VariableDeclaration") {
      const value = kindOf(node.initializer);
      if (FUNCTIONS.includes(value) || value === "ClassExpression") return true;
      return kindOf(node.parent.parent.parent) === "SourceFile";
    }
    if (kind !== "PropertySignature" && kind !== "PropertyDeclaration" && kind !== "PropertyAssignment") return false;
    return kindOf(node.type) === "FunctionType" || FUNCTIONS.includes(kindOf(node.initializer));
  }
}

/** Some numbers have two names; the first one is the node's own. */
function realKind(ts: Compiler, kind: number): string | undefined {
  return Object.keys(ts.SyntaxKind).find((name) => ts.SyntaxKind[name] === kind && !/^(First|Last)/.test(name));
}

function optionsFor(ts: Compiler, root: string): object {
  const usual = {
    target: "esnext",
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    allowJs: true,
    types: [],
  };
  let own: object = {};
  try {
    own =
      ts.readConfigFile(join(root, "tsconfig.json"), (path) => readFileSync(path, "utf8")).config?.compilerOptions ??
      {};
  } catch {
    own = { module: "esnext", moduleResolution: "bundler" };
  }
  return ts.convertCompilerOptionsFromJson({ ...usual, ...own, types: [] }, root).options;
}
