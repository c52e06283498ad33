/**
 * One file of a project, read by itself: what the store keeps of it, as text that needs no more work. A thread of its own
 * may do that; what it gives crosses to the other as a few strings.
 */
import { hash } from "node:crypto";
import { accessSync, constants, lstatSync } from "node:fs";
import { systemCode } from "../kernel/errors.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { redactLines } from "../redact/lines.ts";
import { mayBePrivate } from "../redact/private.ts";
import { findSpans } from "../redact/scan.ts";
import { documentTitle, readDocument } from "./documents.ts";
import { emptyFacts, type FileFacts, surfaceOf } from "./facts.ts";
import { languageOf } from "./languages/registry.ts";
import type { Outside } from "./project_files.ts";
import { readCode } from "./read_code.ts";
import { insideOf } from "./resolve.ts";
import { MAX_BYTES, skipByText } from "./skip.ts";

export interface ReadRequest {
  root: string;
  path: string;
  /** Hash of the content that is known already. */
  known: string | undefined;
}

export interface FileReading {
  hash: string;
  language: string;
  module: string;
  lines: number;
  /** What a document calls itself. */
  title: string;
  /** JSON: what other files see of it, what they do not, and its definitions. */
  outside: string;
  inside: string;
  entities: string;
}

export type ReadFile =
  | FileReading
  | "same"
  /** Why there is nothing to keep of it; empty: it is not there any more. */
  | { gone: string };

/** How the reason of a file that the user may want to know of begins. */
export const UNREADABLE = "cannot be read";

export async function readFile({ root, path, known }: ReadRequest): Promise<ReadFile> {
  const full = `${root}/${path}`;
  const bytes = readRegularFile(full, MAX_BYTES);
  if (bytes === undefined) return { gone: whyUnread(full) };
  const content = hash("sha1", bytes, "hex");
  if (content === known) return "same";
  // Before it is parsed, so that no name, signature, comment or constant can hold a secret. Lines stay where they are.
  const text = withoutSecrets(bytes.toString("utf8"));
  const language = languageOf(path);
  if (language === "config") {
    const facts = { ...emptyFacts("config"), lines: text.split("\n").length };
    return reading(content, facts, { config: text }, "");
  }
  const reason = skipByText(text);
  if (reason !== undefined || language === undefined) return { gone: reason ?? "no language" };
  if (language === "document") {
    const facts = readDocument(text, path);
    return reading(content, facts, { surface: surfaceOf(facts) }, documentTitle(text));
  }
  const facts = await readCode(language, text, path);
  if (!facts) return { gone: "cannot be parsed" };
  return reading(content, facts, { surface: surfaceOf(facts) }, "");
}

/** Nearly all files hold none: one look over the text is enough for them. */
function withoutSecrets(text: string): string {
  return findSpans(text).length === 0 && !mayBePrivate(text) ? text : redactLines(text).join("\n");
}

/** Empty: it is not there any more. */
function whyUnread(full: string): string {
  try {
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (!stats) return "";
    if (stats.isDirectory()) return `${UNREADABLE} (EISDIR)`;
    if (!stats.isFile()) return stats.isSymbolicLink() ? "is a link" : "is not a file";
    if (stats.size > MAX_BYTES) return "too large";
    accessSync(full, constants.R_OK);
    return UNREADABLE;
  } catch (error) {
    const code = systemCode(error);
    return code === "ENOTDIR" ? "" : `${UNREADABLE} (${code ?? "error"})`;
  }
}

function reading(content: string, facts: FileFacts, outside: Outside, title: string): FileReading {
  const { language, module, lines } = facts;
  return {
    hash: content,
    language,
    module,
    lines,
    title,
    outside: JSON.stringify(outside),
    inside: JSON.stringify(insideOf(facts)),
    entities: JSON.stringify(facts.entities.map(({ value: _, returns: __, takes: ___, ...rest }) => rest)),
  };
}
