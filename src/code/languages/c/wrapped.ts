/**
 * C: declarations that macros wrap, mostly in libraries that were once read by compilers without prototypes:
 * `int open OF((char *name));`, `int LIB_API(open) (char *name)`, `LIB_FUNCTION(int, open, (char *name))`. The grammar takes
 * the macro for the function. Without it, everything else stays at its place.
 */

/** `OF((`, `__P((` */
const PROTOTYPE = /\b([A-Z_][A-Z0-9_]*)[ \t]*\([ \t]*\(/g;
/** `LIB_API(open) (` */
const NAME = /\b[A-Z][A-Z0-9_]+[ \t]*\([ \t]*([A-Za-z_]\w*)[ \t]*(\))\s*\(/g;
/** `local int open(`, where `local` is a macro: two names of types, or a name and a type of the language. */
const MODIFIER =
  /^([A-Za-z_]\w*)[ \t]+(?:(?:const|unsigned|signed|struct|enum|union|void|char|short|int|long|float|double)\b|([A-Za-z_]\w*)(?:[ \t*]+|[ \t*]*\n)[A-Za-z_]\w*[ \t]*\()/gm;
const CAPITALS = /^_*[A-Z][A-Z0-9_]*$/;
/** `open(name, mode)` with names of parameters alone, as in a definition whose parameters are declared behind it */
const NAMES_ALONE = /\b[A-Za-z_]\w*[ \t]*\([\w\s,]{1,200}\)\s*(?=[A-Za-z_])/g;
const PARAMETER = /\s*(?:\/\*[^*]{0,200}\*\/\s*)?[A-Za-z_][\w\s*,[\]()]{0,200};(?:[ \t]*\/\*[^*]{0,200}\*\/)?/y;
/** The begin of a definition whose result is a pointer. */
const POINTER = /^[A-Za-z_][\w \t*]*\*$/;
/** `LIB_FUNCTION(` at the begin of a line */
const WHOLE = /^_*[A-Z][A-Z0-9_]+[ \t]*\(/gm;

/** The last `#endif` before the body of a function */
const HEAD_END = /^[ \t]*#[ \t]*endif\b.*\n\s*\{/gm;
const DIRECTIVE = /^[ \t]*#[ \t]*(if\w*|el\w+|endif)\b/;
const MAX_HEAD_LINES = 40;

/** Words of C and C++ that begin a declaration or statement. */
const WORDS =
  /^(?:alignas|asm|auto|bool|case|catch|char|class|co_await|co_return|co_yield|concept|const|consteval|constexpr|constinit|default|delete|do|double|else|enum|explicit|export|extern|final|float|for|friend|goto|if|inline|int|long|mutable|namespace|new|operator|private|protected|public|register|requires|restrict|return|short|signed|sizeof|static|struct|switch|template|thread_local|throw|try|typedef|typename|union|unsigned|using|virtual|void|volatile|while)$/;
const STATEMENTS = "case|defined|do|else|goto|if|return|sizeof|switch|typedef|while";
/** The end of the text before the macro of a prototype: a name, or that of a pointer to a function. */
const DECLARED = new RegExp(`(?:^|[\\s*])(?!(?:${STATEMENTS})\\b)[A-Za-z_]\\w*\\s+$|\\(\\s*\\*\\s*\\w+\\s*\\)\\s*$`);
/** The begin of a line up to a wrapped name: a type. */
const TYPED = new RegExp(`^(?!(?:${STATEMENTS})\\b)[A-Za-z_][\\w \\t*]*[ \\t*]$`);
const TYPE = /^\s*[A-Za-z_][\w\s*]*$/;
const TYPED_NAME = /^\s*[A-Za-z_][\w\s]*[\s*]+[A-Za-z_]\w*\s*$/;
/** The name of a wrapped function, behind macros of its own. */
const LAST_NAME = /^\s*(?:[\w]+\s+)*([A-Za-z_]\w*)\s*$/;

const MAX_BEFORE = 200;
const MAX_LINE_START = 120;
const MAX_DECLARATION = 3000;
const MAX_DEPTH = 8;
const MAX_ARGUMENTS = 8;
const MAX_PARAMETERS = 30;

type Range = readonly [start: number, end: number];

export function unwrapped(text: string): string {
  const found = [conditionalHeads, modifiers, prototypes, wrappedNames, wholeDeclarations, parametersBehind];
  const all = found.flatMap((find) => [...find(text)]);
  const ranges = all.sort((a, b) => a[0] - b[0]);
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of ranges) {
    if (start < done) continue;
    parts.push(text.slice(done, start), text.slice(start, end).replaceAll(/[^\r\n]/g, " "));
    done = end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

function* modifiers(text: string): Iterable<Range> {
  for (const { 1: name = "", 2: type, index } of text.matchAll(MODIFIER)) {
    // `Status LIB_API open(`
    const isResult = type !== undefined && CAPITALS.test(type) && !CAPITALS.test(name);
    if (!isResult && !WORDS.test(name) && (type === undefined || !WORDS.test(type))) yield [index, index + name.length];
  }
}

/**
 * A function whose head is written once for each configuration: `#ifdef A … #else … #endif {`. The grammar reads neither;
 * the first one stays.
 */
function* conditionalHeads(text: string): Iterable<Range> {
  for (const { 0: found, index } of text.matchAll(HEAD_END)) {
    const end = index + found.indexOf("\n") + 1;
    const start = conditionStart(text, index);
    if (start === undefined) continue;
    const dropped = otherBranches(text, start, end);
    const kept = withoutRanges(text, start, end, dropped);
    if (/\)\s*$/.test(kept) && !/[{};]\s*$/.test(kept)) yield* dropped;
  }
}

/** Where the condition begins whose `#endif` is in the line at `index`. */
function conditionStart(text: string, index: number): number | undefined {
  let depth = 0;
  let at = index;
  for (let lines = 0; lines < MAX_HEAD_LINES && at >= 0; lines += 1) {
    const [, word] = DIRECTIVE.exec(text.slice(at, at + MAX_LINE_START)) ?? [];
    if (word === "endif") depth += 1;
    if (word?.startsWith("if")) depth -= 1;
    if (depth === 0) return at;
    if (at === 0) return undefined;
    at = text.lastIndexOf("\n", at - 2) + 1;
  }
  return undefined;
}

/** The directives of a condition, and all lines of it that do not belong to its first branch. */
function otherBranches(text: string, start: number, end: number): Range[] {
  const dropped: Range[] = [];
  const branches: number[] = [];
  for (let at = start; at < end; ) {
    const next = text.indexOf("\n", at) + 1 || end;
    const [, word] = DIRECTIVE.exec(text.slice(at, next)) ?? [];
    if (word?.startsWith("if")) branches.push(0);
    else if (word?.startsWith("el")) branches.push((branches.pop() ?? 0) + 1);
    if (word !== undefined || branches.some((branch) => branch > 0)) dropped.push([at, next]);
    if (word === "endif") branches.pop();
    at = next;
  }
  return dropped;
}

function withoutRanges(text: string, start: number, end: number, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let done = start;
  for (const [from, to] of ranges) {
    parts.push(text.slice(done, from));
    done = to;
  }
  return parts.join("") + text.slice(done, end);
}

function* parametersBehind(text: string): Iterable<Range> {
  for (const { 0: found, index } of text.matchAll(NAMES_ALONE)) {
    if (!isPointer(text.slice(Math.max(0, index - MAX_BEFORE), index))) continue;
    const start = index + found.length;
    let end = start;
    for (let count = 0; count < MAX_PARAMETERS; count += 1) {
      PARAMETER.lastIndex = end;
      const declared = PARAMETER.exec(text);
      if (!declared) break;
      end += declared[0].length;
    }
    if (end > start && text[nextSign(text, end)] === "{") yield [start, end];
  }
}

/** Whether the text before a name begins a definition: the grammar cannot read parameters behind it if the result is a pointer. */
function isPointer(before: string): boolean {
  const text = before.trimEnd();
  const head = text.endsWith("*/") ? text.slice(0, Math.max(0, text.lastIndexOf("/*"))).trimEnd() : text;
  return POINTER.test(head.slice(head.lastIndexOf("\n") + 1).trim());
}

function* prototypes(text: string): Iterable<Range> {
  for (const { 0: found, index } of text.matchAll(PROTOTYPE)) {
    const start = lineStart(text, index);
    if (text[start] === "#" || !DECLARED.test(text.slice(Math.max(0, index - MAX_BEFORE), index))) continue;
    const open = index + found.lastIndexOf("(");
    const inner = closing(text, open);
    const outer = inner === undefined ? undefined : nextSign(text, inner + 1);
    if (outer === undefined || text[outer] !== ")") continue;
    if (!/^\s*(?:[;,{]|[A-Z_]+\b)/.test(text.slice(outer + 1, outer + 1 + MAX_BEFORE))) continue;
    yield [index, open];
    yield [outer, outer + 1];
  }
}

function* wrappedNames(text: string): Iterable<Range> {
  for (const { 0: found, 1: name = "", index } of text.matchAll(NAME)) {
    const start = lineStart(text, index);
    // The type may be in a line of its own.
    const isFirst = start === index && index > 0;
    const typed = isFirst ? text.slice(lineStart(text, index - 1), index - 1) : text.slice(start, index);
    if (typed.length > MAX_LINE_START || !TYPED.test(isFirst ? `${typed} ` : typed)) continue;
    const at = found.lastIndexOf(name, found.lastIndexOf(")"));
    yield [index, index + at];
    yield [index + at + name.length, index + found.length - 1];
  }
}

/** The type, the name and the parameters are the arguments of a macro, in this order. */
function* wholeDeclarations(text: string): Iterable<Range> {
  for (const { 0: found, index } of text.matchAll(WHOLE)) {
    const open = index + found.length - 1;
    const end = closing(text, open);
    if (end === undefined || !/^\s*[;{]/.test(text.slice(end + 1, end + 1 + MAX_BEFORE))) continue;
    const list = argumentsIn(text, open, end);
    const at = list.findIndex(([from, to]) => /^\s*\([\s\S]*\)\s*$/.test(text.slice(from, to)));
    const [both] = list;
    // `PROTOTYPE(void open, (char *name));`
    if (at === 1 && list.length === 2 && both && list[1] && TYPED_NAME.test(text.slice(...both))) {
      yield [index, both[0]];
      yield [both[1], list[1][0]];
      yield [list[1][1], end + 1];
      continue;
    }
    const [type, name, parameters] = [list[at - 2], list[at - 1], list[at]];
    const named = name && LAST_NAME.exec(text.slice(...name));
    if (!type || !name || !named || !parameters || !TYPE.test(text.slice(...type))) continue;
    const nameEnd = name[0] + named[0].trimEnd().length;
    yield [index, type[0]];
    yield [type[1], nameEnd - (named[1] ?? "").length];
    yield [nameEnd, parameters[0]];
    yield [parameters[1], end + 1];
  }
}

/** The arguments between two brackets, without the commas between them. */
function argumentsIn(text: string, open: number, end: number): Range[] {
  const found: Range[] = [];
  let [depth, from] = [0, open + 1];
  for (let at = open + 1; at <= end && found.length < MAX_ARGUMENTS; at += 1) {
    const sign = text[at];
    if (at === end || (sign === "," && depth === 0)) {
      found.push([from, at]);
      from = at + 1;
    } else if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
  }
  return found;
}

/** Where a bracket closes; undefined if that is too far, or behind what no declaration has. */
function closing(text: string, open: number): number | undefined {
  let depth = 0;
  const last = Math.min(text.length, open + MAX_DECLARATION);
  for (let at = open; at < last; at += 1) {
    const sign = text[at];
    if (sign === "(" && depth === MAX_DEPTH) return undefined;
    if (sign === "(") depth += 1;
    else if (sign === ";" || sign === "{" || sign === '"' || sign === "#") return undefined;
    else if (sign === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

function nextSign(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? "")) at += 1;
  return at;
}

/** The begin of the line, or a place in it that is far from there. */
function lineStart(text: string, index: number): number {
  const from = Math.max(0, index - MAX_BEFORE);
  const before = text.slice(from, index);
  return from + before.lastIndexOf("\n") + 1;
}
