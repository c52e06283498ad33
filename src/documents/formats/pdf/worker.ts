/** The thread that reads PDFs, one after another. */
import { parentPort } from "node:worker_threads";
import { DexError, errorMessage } from "../../../kernel/errors.ts";
import type { ParsedDocument } from "../../model.ts";
import { parsePdf } from "./pdf.ts";

export type PdfRead = { document: ParsedDocument | undefined } | { failed: string; code?: string };

const port = parentPort;
port?.on("message", (bytes: Uint8Array) => {
  void read(bytes).then((answer) => port.postMessage(answer));
});

async function read(bytes: Uint8Array): Promise<PdfRead> {
  try {
    return { document: await parsePdf(bytes) };
  } catch (error) {
    const code = error instanceof DexError ? { code: error.code } : {};
    return { failed: errorMessage(error), ...code };
  }
}
