/**
 * Prepares the fields of a conversation for storage: redacts secrets, removes control characters and limits lengths. Values
 * are cut only after redaction, because a cut could leave the start of a secret, too short for any rule to recognise.
 * Readers pass whole values; only this file shortens them.
 */
import { basename } from "node:path";
import type { ConversationMeta, Message, Part } from "../../conversations/model.ts";
import { mayHaveOwnText, withoutOwnText } from "../../conversations/texts/own_text.ts";
import { SUMMARY_START, withoutProgramText, withoutProgramTitle } from "../../conversations/texts/program_text.ts";
import { checkedUsage, type Usage } from "../../conversations/usage.ts";
import { MAX_TITLE_CHARACTERS as MAX_CANDIDATE_CHARACTERS } from "../../integrations/history/building/wrappers.ts";
import type { Lineage } from "../../integrations/history/source.ts";
import { redactMessage } from "../../redact/message.ts";
import { redactText } from "../../redact/redact.ts";
import { cleanLine, cleanText } from "../../text/clean.ts";
import { boundWhole } from "../../text/clip.ts";
import { patternFor } from "../../text/patterns.ts";
import { shortHash } from "../stored_paths.ts";

const MAX_TITLE_CHARACTERS = 200;
const MAX_NAME_CHARACTERS = 200;
/** Longer than any file system allows. */
const MAX_PATH_CHARACTERS = 5000;
const MAX_FILES = 1000;
/** No secret is shorter. */
const MIN_SECRET_CHARACTERS = 10;

export interface Cleaned<T> {
  value: T;
  /** Number of redacted secrets. */
  redactions: number;
}

/** Cleans all metadata; redactions of the title are counted with its message. */
export function cleanMeta(meta: ConversationMeta, origin: string): ConversationMeta {
  const clean: ConversationMeta = { ...meta, id: plainId(meta.id || `${basename(origin)} of ${origin}`) };
  clean.origin = storedPath(origin);
  if (meta.title !== undefined) clean.title = cleanTitle(withoutProgramTitle(meta.title)) || undefined;
  if (meta.project !== undefined) clean.project = cleanPath(meta.project);
  if (meta.branch !== undefined) clean.branch = cleanField(meta.branch, MAX_NAME_CHARACTERS);
  if (meta.model !== undefined) clean.model = cleanName(meta.model);
  if (meta.parent !== undefined) clean.parent = plainId(meta.parent);
  if (meta.family !== undefined) clean.family = plainId(meta.family);
  if (meta.prs !== undefined) clean.prs = meta.prs.map((url) => cleanField(url, MAX_PATH_CHARACTERS));
  return clean;
}

/** Redacts all strings of a message: texts, tool data, names and ids. */
export function cleanMessage(message: Message): Cleaned<Message> {
  const { message: redacted, count } = redactMessage(withTrueAuthor(withoutOwnFacts(message)));
  const { usage } = redacted;
  const clean: Message = usage === undefined ? { ...redacted } : withoutUsage(redacted);
  clean.parts = redacted.parts.map(cleanPart);
  if (clean.uid !== undefined) clean.uid = withoutSecrets(clean.uid);
  if (clean.model !== undefined) clean.model = cleanName(clean.model);
  const requests = checkedUsage(usage);
  if (requests !== undefined) clean.usage = requests.map((request) => cleanRequest(request, clean));
  return { value: clean, redactions: count };
}

/** The usage is added again as the last member. */
function withoutUsage({ usage: _usage, ...content }: Message): Message {
  return content;
}

/** Removes the facts that the message itself states. */
function cleanRequest({ model, time, ...request }: Usage, message: Message): Usage {
  const clean: Usage = request;
  const name = model === undefined ? undefined : cleanName(model);
  if (name !== undefined && name !== message.model) clean.model = name;
  if (time !== undefined && time !== message.time) clean.time = time;
  return clean;
}

/** Replaces a message with nothing but facts from dex's hooks, because the indices of the others must not change. */
const ONLY_OWN_TEXT: Part = { type: "text", text: "[facts from dex]" };

/**
 * Removes facts that dex's hooks inserted, wherever a program may have put them. The model's own words stay unchanged.
 */
function withoutOwnFacts(message: Message): Message {
  const isForeign = message.parts.every(
    (part) =>
      (part.type !== "text" && part.type !== "tool_result") ||
      !mayHaveOwnText(part.type === "text" ? part.text : part.output),
  );
  if (isForeign) return message;
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type === "tool_result") return [{ ...part, output: withoutOwnText(part.output) }];
    if (part.type !== "text" || message.role === "assistant") return [part];
    const text = withoutOwnText(part.text);
    return text === "" && part.text !== "" ? [] : [{ ...part, text }];
  });
  const isOnlyOwn = parts.length === 0 && message.parts.length > 0;
  return isOnlyOwn ? { ...message, role: "system", parts: [ONLY_OWN_TEXT] } : { ...message, parts };
}

/** A user message that a program wrote gets the role `system`; program text around typed text is removed. */
function withTrueAuthor(message: Message): Message {
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
  if (clean.name !== undefined) clean.name = cleanName(clean.name);
  if (clean.type === "tool_call" && clean.files !== undefined) {
    clean.files = clean.files.slice(0, MAX_FILES).map(cleanPath);
  }
  if (clean.type === "tool_result" && clean.agent !== undefined) clean.agent = plainId(clean.agent);
  return clean;
}

/** Cleans the lineage that a source reads before a container: its ids must match the stored ones. */
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

/** Names of tools and models, of which a history has few, as they are stored. */
const cleanNames = new Map<string, string>();
const MAX_CLEAN_NAMES = 1000;

function cleanName(name: string): string {
  const known = cleanNames.get(name);
  if (known !== undefined) return known;
  const clean = cleanField(name, MAX_NAME_CHARACTERS);
  if (cleanNames.size < MAX_CLEAN_NAMES && name.length <= MAX_NAME_CHARACTERS) cleanNames.set(name, clean);
  return clean;
}

function cleanField(text: string, max: number): string {
  return cleanRedacted(text, (each) => cleanLine(each, max));
}

/** Editors write the drive of a path in lower case, most shells in upper case: it is one folder. */
function withDriveLetter(path: string): string {
  return path.replace(/^[a-z](?=:[\\/])/, (letter) => letter.toUpperCase());
}

/** Unlike other fields, a path keeps runs of spaces, so it stays valid. */
function cleanPath(path: string): string {
  return cleanRedacted(path, (each) => {
    const clean = withDriveLetter(cleanText(each).replace(/[\n\t]/g, " "));
    return clean.length <= MAX_PATH_CHARACTERS ? clean : cleanLine(clean, MAX_PATH_CHARACTERS);
  });
}

/** Cleaning may join a secret that was split by hidden characters, so a changed text is redacted again. */
function cleanRedacted(text: string, clean: (text: string) => string): string {
  const redacted = withoutSecrets(text);
  const cleaned = clean(redacted);
  return cleaned === redacted ? cleaned : clean(withoutSecrets(cleaned));
}

function withoutSecrets(text: string): string {
  return text.length < MIN_SECRET_CHARACTERS ? text : redactText(text).text;
}

/** Letters and digits of any script, and punctuation that is valid in file names. */
const PLAIN_ID = patternFor(String.raw`^[\p{L}\p{N}_@+][\p{L}\p{M}\p{N}._:@+=~,-]{0,127}$`);
/** With its extension it must fit into the 255 bytes of a file name. */
const MAX_ENCODED_CHARACTERS = 200;
const READABLE_CHARACTERS = 40;

/**
 * The id under which a conversation is stored: the agent's own id if it is plain; else its readable part with a hash of
 * the whole, so the same session always gets the same id and no two sessions share one.
 */
export function plainId(id: string): string {
  const redacted = withoutSecrets(id);
  if (redacted === id && PLAIN_ID(id).test(id) && encodeURIComponent(id).length <= MAX_ENCODED_CHARACTERS) return id;
  const readable = redacted
    .slice(0, 4 * READABLE_CHARACTERS)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, READABLE_CHARACTERS)
    .replace(/-+$/, "");
  return `${readable === "" ? "id" : readable}-${shortHash(id)}`;
}

/** A path as stored and shown. A path with a secret is redacted and identified by a hash; reading uses the real one. */
export function storedPath(path: string): string {
  const redacted = withoutSecrets(path);
  return redacted === path ? path : `${redacted}#${shortHash(path)}`;
}
