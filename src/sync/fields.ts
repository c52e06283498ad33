/**
 * Everything a transcript says about a conversation, made fit to be stored: without secrets, without control
 * characters, bounded, and cut only after redaction. A cut before it would leave the first part of a secret, too short
 * for any rule to recognise. Readers hand over whole values; this is the one place that shortens them.
 */
import { basename } from "node:path";
import type { ConversationMeta, Message, Part } from "../conversations/model.ts";
import { SUMMARY_START, withoutProgramText, withoutProgramTitle } from "../conversations/program_text.ts";
import { MAX_TITLE_CHARACTERS as MAX_CANDIDATE_CHARACTERS } from "../integrations/history/reading/wrappers.ts";
import type { Lineage } from "../integrations/history/source.ts";
import { redactMessage } from "../redact/message.ts";
import { redactText } from "../redact/redact.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { boundWhole } from "../text/clip.ts";
import { shortHash } from "./stored_paths.ts";

const MAX_TITLE_CHARACTERS = 200;
const MAX_NAME_CHARACTERS = 200;
/** Longer than any file system allows. */
const MAX_PATH_CHARACTERS = 5000;
const MAX_FILES = 1000;
/** No secret is shorter. */
const MIN_SECRET_CHARACTERS = 10;

export interface Cleaned<T> {
  value: T;
  /** How many secrets were taken out. */
  redactions: number;
}

/** Every field of the metadata; the redactions of the title are counted with those of its message. */
export function cleanMeta(meta: ConversationMeta, origin: string): ConversationMeta {
  const clean: ConversationMeta = { ...meta, id: plainId(meta.id || `${basename(origin)} of ${origin}`) };
  clean.origin = storedPath(origin);
  if (meta.title !== undefined) clean.title = cleanTitle(withoutProgramTitle(meta.title)) || undefined;
  if (meta.project !== undefined) clean.project = cleanPath(meta.project);
  if (meta.branch !== undefined) clean.branch = cleanField(meta.branch, MAX_NAME_CHARACTERS);
  if (meta.model !== undefined) clean.model = cleanField(meta.model, MAX_NAME_CHARACTERS);
  if (meta.parent !== undefined) clean.parent = plainId(meta.parent);
  if (meta.family !== undefined) clean.family = plainId(meta.family);
  if (meta.prs !== undefined) clean.prs = meta.prs.map((url) => cleanField(url, MAX_PATH_CHARACTERS));
  return clean;
}

/** A message with all its strings redacted: its texts and tool data, and the names and ids around them. */
export function cleanMessage(message: Message): Cleaned<Message> {
  const { message: redacted, count } = redactMessage(ofWhoWroteIt(message));
  const clean = { ...redacted, parts: redacted.parts.map(cleanPart) };
  if (clean.uid !== undefined) clean.uid = withoutSecrets(clean.uid);
  if (clean.model !== undefined) clean.model = cleanField(clean.model, MAX_NAME_CHARACTERS);
  return { value: clean, redactions: count };
}

/** A message that only holds a program's text is the program's; around a person's own words such text is removed. */
function ofWhoWroteIt(message: Message): Message {
  if (message.role !== "user") return message;
  const first = message.parts[0];
  if (first?.type === "text" && first.text.startsWith(SUMMARY_START)) {
    return { ...message, role: "system", kind: "summary" };
  }
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type !== "text") return [part];
    const text = withoutProgramText(part.text);
    return text === "" ? [] : text.length === part.text.trim().length ? [part] : [{ ...part, text }];
  });
  return parts.length === 0 ? { ...message, role: "system" } : { ...message, parts };
}

function cleanPart(part: Part): Part {
  if (part.type !== "tool_call" && part.type !== "tool_result") return part;
  const clean = { ...part };
  if (clean.id !== undefined) clean.id = withoutSecrets(clean.id);
  if (clean.name !== undefined) clean.name = cleanField(clean.name, MAX_NAME_CHARACTERS);
  if (clean.type === "tool_call" && clean.files !== undefined) {
    clean.files = clean.files.slice(0, MAX_FILES).map(cleanPath);
  }
  if (clean.type === "tool_result" && clean.agent !== undefined) clean.agent = plainId(clean.agent);
  return clean;
}

/** The same for what a source tells about a container before it is read: ids must match those that are stored. */
export function cleanLineage(lineage: Lineage | undefined): Lineage | undefined {
  if (lineage === undefined) return undefined;
  const clean: Lineage = { id: plainId(lineage.id) };
  if (lineage.family !== undefined) clean.family = plainId(lineage.family);
  if (lineage.forkOf !== undefined) clean.forkOf = plainId(lineage.forkOf);
  return clean;
}

function cleanTitle(title: string): string {
  return cleanLine(redactText(boundWhole(title, MAX_CANDIDATE_CHARACTERS)).text, MAX_TITLE_CHARACTERS);
}

function cleanField(text: string, max: number): string {
  return cleanLine(withoutSecrets(text), max);
}

/** Unlike other fields, a path keeps its runs of spaces: it must still be the path. */
function cleanPath(path: string): string {
  const clean = cleanText(withoutSecrets(path)).replace(/[\n\t]/g, " ");
  return clean.length <= MAX_PATH_CHARACTERS ? clean : cleanLine(clean, MAX_PATH_CHARACTERS);
}

function withoutSecrets(text: string): string {
  return text.length < MIN_SECRET_CHARACTERS ? text : redactText(text).text;
}

/** Letters and digits of any script and the punctuation of file names: it can be typed, addressed and made a file name. */
const PLAIN_ID = /^[\p{L}\p{N}_@+][\p{L}\p{M}\p{N}._:@+=~,-]{0,127}$/u;
/** With its ending it must fit into the 255 bytes of a file name. */
const MAX_ENCODED_CHARACTERS = 200;
const READABLE_CHARACTERS = 40;

/**
 * The id under which a conversation is stored: the agent's own where it is plain; else what is readable of it, with a
 * hash of the whole, so that the same session always gets the same id and two sessions never share one.
 */
export function plainId(id: string): string {
  const redacted = withoutSecrets(id);
  if (redacted === id && PLAIN_ID.test(id) && encodeURIComponent(id).length <= MAX_ENCODED_CHARACTERS) return id;
  const readable = redacted
    .slice(0, 4 * READABLE_CHARACTERS)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, READABLE_CHARACTERS)
    .replace(/-+$/, "");
  return `${readable === "" ? "id" : readable}-${shortHash(id)}`;
}

/** A path as it is kept and shown. One that holds a secret is told from others by a hash; reading uses the real one. */
export function storedPath(path: string): string {
  const redacted = withoutSecrets(path);
  return redacted === path ? path : `${redacted}#${shortHash(path)}`;
}
