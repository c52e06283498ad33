/**
 * Macros of C++ that say how a declaration is exported, compiled or checked: `class LIB_API Name`. The preprocessor
 * replaces them; the grammar takes them for types, and cannot read the class or function around them.
 */

const MACRO = /\b[A-Z][A-Z0-9_]{2,}\b/g;
const MODIFIERS = "const|constexpr|explicit|extern|friend|inline|signed|static|typename|unsigned|virtual|volatile";
/** Words that begin or continue a declaration. */
const DECLARES = `${MODIFIERS}|auto|bool|char|class|double|enum|float|int|long|namespace|short|struct|template|using|void`;
const STATEMENTS = "case|co_return|delete|do|else|for|goto|if|new|return|switch|throw|typedef|while";

const ARGUMENTS = /^\((?:"[^"\n]*"|[^()\n])*\)/;
const MODIFIED = new RegExp(`^\\s*(?:template\\s*<.*>\\s*)?(?:(?:${MODIFIERS})\\s+)*$`);
/** `class LIB_API Name : Base {` */
const TYPE = /\b(?:class|struct|union|namespace)\s+$/;
const TYPE_NAME = /^\s+\w+\s*(?:final\s*)?[:{;<]/;
/** `LIB_API void name(`, `LIB_API Status name(` */
const DECLARATION = new RegExp(
  `^\\s+(?:(?:${DECLARES})\\b|[\\w:]+(?:<[^;{}()\\n]*>)?[ \\t]*[*&]*[ \\t]+[*&]*[\\w:~]+[ \\t]*\\()`,
);
/** `LIB_FUNCTION Name(` */
const EXPORTS = /_(?:API|EXPORT|FUNCTION|INLINE|DECL|PUBLIC|NODISCARD|NORETURN|NOINLINE|CONSTEXPR\d*)$/;
/** `Status LIB_API name(` */
const RESULT = new RegExp(
  `^[ \\t]*(?:(?:${MODIFIERS}|enum|long|short|struct|union)[ \\t]+)*(?!(?:${MODIFIERS}|${STATEMENTS})\\b)[\\w:<>,]+[ \\t*&]+$`,
);
/** `int count GUARDED_BY(lock);` */
const FIELD = new RegExp(
  `(?:^|[^\\w])(?!(?:class|struct|enum|union|${STATEMENTS})\\b)[\\w>\\]]+[ \\t*&]+(?!(?:${DECLARES}|${STATEMENTS})\\b)\\w+\\s+$`,
);
/** `void name() const REQUIRES(lock);` */
const PARAMETERS = /\)\s*(?:(?:const|final|noexcept|override)\s+)*$/;

const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;
const NO_DECLARATION = new RegExp(`^(?:${STATEMENTS})\\b|#\\s*define`);
/** A declaration is rarely longer before its macro, and its begin rarely longer after it. */
const MAX_BEFORE = 600;
const MAX_AFTER = 200;
/** Comments between a macro and the declaration that follows it are rarely longer. */
const MAX_COMMENT = 2000;
/** A longer line cannot contain a declaration beyond this. */
const MAX_LINE = 1000;

/** The text without these macros, with everything else at its place. */
export function withoutAttributes(whole: string): string {
  const text = withoutMacroComments(whole);
  const parts: string[] = [];
  let done = 0;
  /** The line that the last macro is in, up to its end. */
  let kept = "";
  let start = 0;
  let lineEnd = text.indexOf("\n");
  for (const { 0: name, index } of text.matchAll(MACRO)) {
    if (index < done) continue;
    while (lineEnd >= 0 && lineEnd < index) {
      start = lineEnd + 1;
      lineEnd = text.indexOf("\n", start);
    }
    if (index - start > MAX_LINE) continue;
    const line = start < done ? kept + text.slice(done, index) : text.slice(start, index);
    const end = attributeEnd(text, name, index, line);
    if (end === undefined) continue;
    const blank = " ".repeat(end - index);
    parts.push(text.slice(done, index), blank);
    done = end;
    kept = line + blank;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** Lines of a macro that goes on in the next line. */
const LONG_MACRO = /^[ \t]*#[ \t]*define\b(?:.*\\\r?\n)+.*/gm;
/** Also matches a comment that does not end in its line: then nothing after it is examined again. */
const LINE_COMMENT = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;

/** The grammar ends a macro at a comment in its body: blanks comments that are not at the end of it. */
export function withoutMacroComments(text: string): string {
  return text.replaceAll(LONG_MACRO, (macro) => {
    const lines = macro.split("\n");
    const last = lines.pop();
    return [...lines.map(withoutLineComments), last].join("\n");
  });
}

function withoutLineComments(line: string): string {
  return line.replaceAll(LINE_COMMENT, (comment) => (comment.endsWith("*/") ? " ".repeat(comment.length) : comment));
}

/** The end of the macro with its arguments; undefined if it may be a value, a type or a call. */
function attributeEnd(text: string, name: string, index: number, line: string): number | undefined {
  if (line.trimStart().startsWith("#")) return undefined;
  const next = text.slice(index + name.length, index + name.length + MAX_AFTER);
  const given = ARGUMENTS.exec(next)?.[0] ?? "";
  const after = next.slice(given.length);
  const end = index + name.length + given.length;
  if (TYPE.test(line)) return TYPE_NAME.test(after) ? end : undefined;
  if (MODIFIED.test(line)) {
    if (given.startsWith('("') && DECLARATION.test(after)) return end;
    if (given === "" && (DECLARATION.test(after) || (EXPORTS.test(name) && /^\s+\w/.test(after)))) return end;
    if (given === "" && isAlone(text, index, end)) return end;
  }
  if (given === "" && RESULT.test(line) && /^(?:[ \t]+|[ \t]*\r?\n)\w+[ \t]*\(/.test(after)) return end;
  if (given !== "" && FIELD.test(line) && /^\s*[;=]/.test(after)) return end;
  if (!/^\s*[;{:]/.test(after)) return undefined;
  const before = text.slice(Math.max(0, index - MAX_BEFORE), index);
  return PARAMETERS.test(before) && !NO_DECLARATION.test(statement(before)) ? end : undefined;
}

/** A macro on a line of its own, between declarations: `LIB_NAMESPACE_BEGIN`. */
function isAlone(text: string, index: number, end: number): boolean {
  if (!/^[ \t]*(?:\/\/.*)?\r?\n/.test(text.slice(end, end + MAX_AFTER))) return false;
  const before = text
    .slice(Math.max(0, index - MAX_BEFORE), index)
    .replaceAll(COMMENT, "")
    .trimEnd();
  const isFirst = before === "" || /[;{}>:]$/.test(before) || /(?:^|\n)[ \t]*#[^\n]*$/.test(before);
  if (!isFirst) return false;
  const follows = text[afterComments(text, end)] ?? "";
  return /[A-Za-z_#~[]/.test(follows) || (follows === "}" && !before.endsWith("{"));
}

/** The position after spaces and comments. */
function afterComments(text: string, from: number): number {
  const near = text.slice(from, from + MAX_COMMENT);
  let at = 0;
  while (at < near.length) {
    const end = near.startsWith("//", at)
      ? near.indexOf("\n", at)
      : near.startsWith("/*", at)
        ? near.indexOf("*/", at + 2)
        : at;
    if (end < 0) break;
    if (end === at && !/\s/.test(near[at] ?? "")) return from + at;
    at = near[end] === "*" ? end + 2 : end + 1;
  }
  return text.length;
}

/** The begin of the statement that a text ends in: `if (x) CHECK(y);` declares nothing. */
function statement(before: string): string {
  const from = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}"));
  return before
    .slice(from + 1)
    .replaceAll(COMMENT, "")
    .trim();
}
