/** Collections of documentation in a test's home: folders of Markdown, declared and put into the store. */
import { hash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DocumentDigester } from "../../src/collections/digest.ts";
import { readDocument } from "../../src/collections/document.ts";
import { canonicalSource, identityOf, parseSource } from "../../src/collections/source.ts";
import { modelPath } from "../../src/embedding/locate.ts";
import { LITTLE } from "../../src/kernel/analyser.ts";
import { openDocumentWriter } from "../../src/store/sqlite/open_documents.ts";

/** Writes the files of a collection below a folder, and indexes them. Returns the collection's identity. */
export async function makeCollection(
  documents: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const source = parseSource([folder], folder);
  const id = identityOf(source);
  mkdirSync(dirname(documents), { recursive: true });
  const writer = openDocumentWriter(documents, new DocumentDigester(modelPath(), LITTLE));
  for (const [path, text] of Object.entries(files)) {
    const location = join(folder, path);
    mkdirSync(dirname(location), { recursive: true });
    writeFileSync(location, text);
    const bytes = Buffer.from(text);
    const read = await readDocument(path, bytes);
    if (!("parsed" in read)) throw new Error(`${path}: ${read.skipped}`);
    const { parsed, chunks } = read;
    writer.put(id, {
      path,
      location,
      hash: hash("sha256", text),
      bytes: bytes.length,
      updated: Date.parse("2026-05-01"),
      parsed,
      chunks,
    });
  }
  writer.finish(id, canonicalSource(source), { at: Date.parse("2026-05-02"), failed: 0 });
  writer.commit();
  writer.close();
  return id;
}

/** A project folder whose `context.json` names folders inside of it. */
export function declareCollections(project: string, folders: Readonly<Record<string, string>>): void {
  const collections = Object.fromEntries(Object.entries(folders).map(([name, url]) => [name, { url }]));
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, "context.json"), JSON.stringify({ collections }));
}
