/** Lines and fields of a transcript that dex does not need: most of a file's bytes. */

/** Unneeded, and the reason why lines get too long to hold: files before an edit, images. */
export const DROP_KEYS = ["originalFile", "structuredPatch", "data"];

const QUIET = ["file-history-snapshot", "last-prompt", "permission-mode", "mode", "bridge-session", "frame-link"].map(
  (type) => `{"type":"${type}"`,
);
const ATTACHMENT = '"attachment":';
const ATTACHMENT_TYPE = '{"type":"';
const PROMPT_TYPE = 'queued_command"';

/**
 * Lines that are skipped unparsed because dex needs nothing of their records. The test sees only the part before the
 * first nested object, so text inside a record cannot be mistaken for its type.
 */
export function canSkip(text: string): boolean {
  if (!isQuiet(text)) return false;
  // The parser handles two records on one line, and half a record.
  return text.endsWith("}") && !text.includes("}{");
}

function isQuiet(text: string): boolean {
  if (text.startsWith('{"type":')) return QUIET.some((start) => text.startsWith(start));
  if (!text.startsWith('{"parentUuid":')) return false;
  const nested = text.indexOf("{", 1);
  if (nested < 0) return false;
  if (text.startsWith(ATTACHMENT, nested - ATTACHMENT.length)) {
    if (!text.startsWith(ATTACHMENT_TYPE, nested)) return false;
    return !text.startsWith(PROMPT_TYPE, nested + ATTACHMENT_TYPE.length);
  }
  return text.slice(0, nested).includes('"type":"progress"') && !text.includes('"usage":{');
}

const UUID_KEY = '"uuid":"';

/** The record's own id and that of its parent, from a skipped line: its id follows everything that is nested in it. */
export function skippedIds(text: string): { uuid: string; parentUuid: string | undefined } | undefined {
  if (!text.startsWith('{"parentUuid":')) return undefined;
  const at = text.lastIndexOf(UUID_KEY);
  if (at < 0) return undefined;
  const start = at + UUID_KEY.length;
  const parent = /^\{"parentUuid":"([^"\\]{1,64})"/.exec(text)?.[1];
  return { uuid: text.slice(start, text.indexOf('"', start)), parentUuid: parent };
}
