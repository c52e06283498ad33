/**
 * One file of a project, read by itself: what the store keeps of it, as text that needs no more work. A thread of its own
 * may do that; what it gives crosses to the other as a few strings.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { systemCode } from "../kernel/errors.ts";
import { documentTitle, readDocument } from "./documents.ts";
import { emptyFacts, type FileFacts, surfaceOf } from "./facts.ts";
import { languageOf } from "./languages/registry.ts";
import type { Outside } from "./project_files.ts";
import { readCode } from "./read_code.ts";
import { insideOf } from "./resolve.ts";
import { skipByText } from "./skip.ts";

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

export async function readFile({ root, path, known }: ReadRequest): Promise<ReadFile> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${root}/${path}`);
  } catch (error) {
    const code = systemCode(error);
    return { gone: code === "ENOENT" || code === "ENOTDIR" ? "" : `cannot be read (${code ?? "error"})` };
  }
  const content = hash("sha1", bytes, "hex");
  if (content === known) return "same";
  const text = bytes.toString("utf8");
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
