/** Reads the name of a declaration from source text, also one whose parameters or type parameters wrap over lines. */

/** Lines of one declaration head. */
const MAX_HEAD_LINES = 12;
const KEYWORD =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|override|virtual|sealed|partial|readonly|unsafe|extern|open|data|inline|suspend|synchronized|native|pub(?:\([a-z ]+\))?)\s+)*(?:function\*?|class|interface|@interface|type|enum|struct|union|trait|def|fn|func|fun|module|namespace|object|record|const|let|var|val|sub|macro_rules!)\s+(?:\([^)]*\)\s*)?(?:(?:class|fn|enum|mut)\s+)?([A-Za-z_$][\w$]*)/;
/** Words before a parenthesis that are not the name of a declaration. */
const NO_NAME = new Set(
  "if for while switch catch return function else do with await new throw match import export const from require super this".split(
    " ",
  ),
);

/** Blank lines, comments, annotations and attributes. */
export function isSkippable(line: string): boolean {
  return /^\s*(?:$|\/\/|\/\*|\*|#(?!\w)|--|@(?!interface\b)[\w.]+(?:\s*$|\(.*|\s+\/\/.*$)|\[\w[\w.]*(?:\(.*\))?\]\s*$|"""|''')/.test(
    line,
  );
}

/** The name that the declaration at this line (1-based) defines; undefined if it is not a declaration. */
export function declaredAt(lines: readonly string[], line: number): { name: string; member: boolean } | undefined {
  const first = withoutMarks(lines[line - 1] ?? "");
  // A method of Go is declared outside its type.
  const member = /^(?:\s|func \()/.test(lines[line - 1] ?? "");
  const plain = KEYWORD.exec(first.trimStart())?.[1];
  if (plain !== undefined) return { name: plain, member };
  const name = memberName(headOf(lines, line, first));
  return name === undefined ? undefined : { name, member };
}

function withoutMarks(line: string): string {
  return line.replace(/^(\s*)(?:(?:\/\*.*?\*\/|#?\[[^\]]*\]|@(?!interface\b)[\w.]+(?:\([^()]*\))?)\s*)+/, "$1");
}

/** The text up to the body, the value or the end of the declaration. */
function headOf(lines: readonly string[], line: number, first: string): string {
  let head = "";
  for (let at = line - 1; at < Math.min(lines.length, line - 1 + MAX_HEAD_LINES); at += 1) {
    head += ` ${at === line - 1 ? first : (lines[at] ?? "").replace(/\/\/.*$/, "")}`;
    if (/[;{]|=>?\s*$|[^=]=[^=>]/.test(head) || /^[^(<]*$/.test(head)) break;
  }
  return head.trim();
}

/** A method, `List<T> get(int at)`; or a field, `maximum?: number`, `OLD = 1`, `int old;`. */
function memberName(head: string): string | undefined {
  const flat = withoutTypeArguments(head);
  const called = /([A-Za-z_$][\w$]*)\s*\??\s*\(/.exec(flat)?.[1];
  const beforeParenthesis = flat.slice(0, Math.max(0, flat.indexOf("(")));
  if (called !== undefined && !/[=;]/.test(beforeParenthesis)) return NO_NAME.has(called) ? undefined : called;
  // Go and SQL name a field before its type.
  const beforeType = /^([A-Za-z_]\w*)\s+[\w.*[\]]+\s*(?:`.*)?$/.exec(flat)?.[1];
  if (beforeType !== undefined) return beforeType;
  const field = /^(?:[\w$.[\]?]+\s+)*([A-Za-z_$][\w$]*)\s*[?!]?\s*(?:[:=;,{]|$)/.exec(flat)?.[1];
  return field === undefined || NO_NAME.has(field) ? undefined : field;
}

function withoutTypeArguments(text: string): string {
  let flat = "";
  let depth = 0;
  for (const [i, char] of [...text].entries()) {
    if (char === "<") depth += 1;
    else if (char === ">" && depth > 0 && text[i - 1] !== "=" && text[i - 1] !== "-") depth -= 1;
    else if (depth === 0) flat += char;
  }
  return flat;
}
