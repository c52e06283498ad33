/**
 * The signature of an error, independent of run, file and machine: its lines without numbers, addresses, ids and
 * folders of paths. Two errors with the same signature are the same error.
 */
import { latinLength } from "../../text/terms/forms.ts";

const MAX_LINES = 400;
const MAX_LINE_CHARS = 1000;
const MAX_SIGNATURE_CHARS = 300;
const MIN_SIGNATURE_CHARS = 8;

/** Matches lines that state an error, in the words of compilers, test runners, shells and runtimes. */
const ERROR_WORDS =
  /\b(?:[A-Z]\w*(?:Error|Exception|Panic|Failure)\b|(?:error|fatal|panic|exception|failed|failure|cannot|can't|could not|unable to|not found|no such|denied|refused|undefined|unexpected|invalid|timed? ?out|segmentation fault|traceback|E[A-Z]{3,}\b))/i;
/** The same in other languages. */
const FOREIGN_ERROR_WORDS =
  /fehler|fehlgeschlagen|nicht gefunden|nicht möglich|erreur|échec|échoué|introuvable|no se (?:pudo|puede|encontró)|falló|erro\b|falha|ошибк|не удалось|не найден|сбой|отказано|превышено|错误|錯誤|失败|失敗|异常|超时|无法|找不到|エラー|できません|見つかりません|例外|오류|실패/iu;
/** Stack frames tell where the error occurred, not what it was. */
const FRAME = /^\s*(?:at\s|File "|from\s.*:\d+:in|\d+:\s+0x|#\d+\s|\^+\s*$|~+\s*$)/;

/** Built at run time to keep the escape character out of the source. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

export interface ErrorLine {
  /** As in the text. */
  line: string;
  signature: string;
}

function isError(line: string): boolean {
  return ERROR_WORDS.test(line) || FOREIGN_ERROR_WORDS.test(line);
}

/** The error lines of a text, deduplicated, in order; the first non-empty line if there is none. */
export function errorLines(text: string): ErrorLine[] {
  const lines = text.split("\n", MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARS).trim());
  const errors = lines.filter((line) => line !== "" && isError(line) && !FRAME.test(line));
  const chosen = errors.length > 0 ? errors : lines.filter((line) => line !== "").slice(0, 1);
  const found = new Map<string, ErrorLine>();
  for (const line of chosen) {
    const signature = errorSignature(line);
    if (latinLength(signature) >= MIN_SIGNATURE_CHARS && !found.has(signature))
      found.set(signature, { line, signature });
  }
  return [...found.values()];
}

/** Places, programs and words such as `Error:` before the sentence that states the error. */
const PREFIX =
  /^(?:(?:<path>\/|\w)[^\s:()]{0,200}(?::<n>|\(<n>\))+:?(?: -)? |\[[^\]]{0,40}\] |(?:npm|yarn|pnpm|bun) (?:err!?|error) |(?:uncaught |unhandled )?(?:[\w.]{0,80}(?:error|exception|failure)|fatal|panic|warn|warning|err)(?: ts<n>| \[\w{1,60}\]|\[\w{1,60}\])?(?:: | - )|(?:ba|z|da)?sh: (?:line <n>: )?|[✗✘✖×•>*-] )/;
const MAX_PREFIXES = 6;

/** The signature without its prefixes: a pasted error often lacks them, or has those of another program. */
export function errorCore(signature: string): string {
  let core = signature;
  for (let i = 0; i < MAX_PREFIXES; i += 1) {
    const rest = core.replace(PREFIX, "");
    if (rest === core || rest === "") break;
    core = rest;
  }
  return core;
}

export function errorSignature(line: string): string {
  return line
    .slice(0, MAX_LINE_CHARS)
    .replace(COLOUR, "")
    .replace(/^\s*(?:\[[^\]]{0,40}\]\s*)?(?:\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\s*)?/, "")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>")
    .replace(/\b0x[0-9a-f]+\b/gi, "<n>")
    .replace(/(?<![\w.@+~-])(?:[A-Za-z]:)?[\w.@+~-]*(?:[\\/][\w.@+~-]+)*[\\/]([\w.@+~-]+)/g, "<path>/$1")
    .replace(/\b[0-9a-f]{7,64}\b/gi, (word) => (/\d/.test(word) ? "<id>" : word))
    .replace(/\d+(?:[.,]\d+)*/g, "<n>")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .slice(0, MAX_SIGNATURE_CHARS);
}
