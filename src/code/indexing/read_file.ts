/**
 * Reads one file of a project into the strings that the store keeps. May run in a worker thread, so the result is a few
 * strings that are cheap to pass between threads.
 */
import { hash } from "node:crypto";
import { accessSync, constants, lstatSync } from "node:fs";
import { systemCode } from "../../kernel/errors.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { redactLines } from "../../redact/lines.ts";
import { mayBePrivate } from "../../redact/private.ts";
import { findSpans } from "../../redact/scan.ts";
import { type EntityFact, emptyFacts, type FileFacts, type PublicFacts, privateFactsOf, surfaceOf } from "../facts.ts";
import { languageOf } from "../languages/registry.ts";
import { MAX_BYTES, skipByText } from "../listing/skip.ts";
import { readCode } from "../parsing/read_code.ts";
import { documentTitle, readDocument } from "./document.ts";

export interface ReadRequest {
  root: string;
  path: string;
  /** Hash of the content that is already indexed. */
  known: string | undefined;
}

export interface FileReading {
  hash: string;
  language: string;
  module: string;
  lines: number;
  /** Title of a document; else empty. */
  title: string;
  /** JSON: facts that other files see, facts that they do not, and a list of `Definition`. */
  outside: string;
  inside: string;
  entities: string;
  /** Without secrets; empty for what is not code. */
  text: string;
}

/** The fields of a definition that the store keeps. */
export type Definition = Pick<
  EntityFact,
  "kind" | "name" | "qualified" | "parent" | "exported" | "signature" | "doc" | "first" | "last" | "hash"
>;

export type ReadFile =
  | FileReading
  | "same"
  /** Why the file is not indexed; empty: it no longer exists. */
  | { gone: string };

/** Start of the reasons that are reported to the user. */
export const UNREADABLE = "cannot be read";

export async function readFile({ root, path, known }: ReadRequest): Promise<ReadFile> {
  const full = `${root}/${path}`;
  const bytes = readRegularFile(full, MAX_BYTES);
  if (bytes === undefined) return { gone: whyUnread(full) };
  const content = hash("sha1", bytes, "hex");
  if (content === known) return "same";
  // Secrets are removed before parsing, so no name, signature, comment or constant can contain one. Line numbers stay.
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
  return reading(content, facts, { surface: surfaceOf(facts) }, "", text);
}

/** The definitions of a text of the project that is not in the working tree, such as an older version of a file. */
export async function readDefinitions(path: string, text: string): Promise<readonly EntityFact[]> {
  const language = languageOf(path);
  if (language === undefined || language === "config" || language === "document") return [];
  const clean = withoutSecrets(text);
  if (skipByText(clean) !== undefined) return [];
  return (await readCode(language, clean, path))?.entities ?? [];
}

/** Nearly all files contain no secret: one scan of the text is enough for them. */
function withoutSecrets(text: string): string {
  return findSpans(text).length === 0 && !mayBePrivate(text) ? text : redactLines(text).join("\n");
}

/** Empty: the file no longer exists. */
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

function reading(content: string, facts: FileFacts, outside: PublicFacts, title: string, text = ""): FileReading {
  const { language, module, lines } = facts;
  return {
    hash: content,
    language,
    module,
    lines,
    title,
    outside: JSON.stringify(outside),
    inside: JSON.stringify(privateFactsOf(facts)),
    entities: JSON.stringify(facts.entities.map(toDefinition)),
    text,
  };
}

function toDefinition(entity: EntityFact): Definition {
  const { kind, name, qualified, parent, exported, signature, doc, first, last, hash: text } = entity;
  return { kind, name, qualified, parent, exported, signature, doc, first, last, hash: text };
}
