/**
 * Reads a PDF in a thread of its own. A small file may unpack to gigabytes, by many filters and behind an encryption, and
 * PDF.js unpacks it in steps that nothing inside its thread can interrupt. So this side looks at the thread's memory and
 * at the clock, and ends the thread with whatever it was doing.
 */
import { Worker } from "node:worker_threads";
import { DexError } from "../../../kernel/errors.ts";
import { threadProgram } from "../../../threads/program.ts";
import { holdThread } from "../../../threads/uninterrupted.ts";
import type { ParsedDocument } from "../../model.ts";
import type { PdfRead } from "./worker.ts";

/** The largest manuals and books that dex was tried on need a third of it. */
const MAX_MEMORY_BYTES = 1 << 30;
const MAX_HEAP_MB = 1024;
/** A little more than the pages may take, after which the thread gives up by itself. */
const MAX_THREAD_MS = 130_000;
const CHECK_MS = 100;
/** Documents come one after another: the thread is kept for the next one for as long. */
const MAX_IDLE_MS = 1000;

let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Undefined: the PDF has no text. */
export function readPdf(bytes: Uint8Array): Promise<ParsedDocument | undefined> {
  const reading = last.then(() => readNow(bytes));
  last = reading.catch(() => undefined);
  return reading;
}

async function readNow(bytes: Uint8Array): Promise<ParsedDocument | undefined> {
  const worker = takeThread();
  const release = holdThread();
  let isDone = false;
  try {
    const read = await Promise.race([answerOf(worker, bytes), excessOf(worker, () => isDone)]);
    if (!("failed" in read)) {
      keepThread(worker);
      return read.document;
    }
    if (!read.isOver) keepThread(worker);
    else await worker.terminate();
    throw read.code === undefined ? new Error(read.failed) : new DexError(read.code, read.failed);
  } finally {
    isDone = true;
    release();
  }
}

function takeThread(): Worker {
  if (!idle) {
    const program = threadProgram(import.meta.url, "pdf_worker.js");
    return new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  }
  const { worker, timer } = idle;
  clearTimeout(timer);
  idle = undefined;
  stopListening(worker);
  worker.ref();
  return worker;
}

/** It keeps no process alive. */
function keepThread(worker: Worker): void {
  stopListening(worker);
  worker.unref();
  const drop = (): void => {
    if (idle?.worker !== worker) return;
    clearTimeout(idle.timer);
    idle = undefined;
    void worker.terminate();
  };
  worker.on("error", drop).on("exit", drop);
  idle = { worker, timer: setTimeout(drop, MAX_IDLE_MS).unref() };
}

/** Node has listeners of its own for other events of a thread. */
function stopListening(worker: Worker): void {
  for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
}

type Answer = PdfRead & { /** The thread is of no use any more. */ isOver?: true };

function answerOf(worker: Worker, bytes: Uint8Array): Promise<Answer> {
  return new Promise((resolve) => {
    worker.once("message", (read: PdfRead) => resolve(read));
    worker.once("error", (error: NodeJS.ErrnoException) => {
      const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      resolve(isFull ? TOO_LARGE : { failed: error.message, isOver: true });
    });
    worker.once("exit", () => resolve({ failed: "the thread that read it ended", isOver: true }));
    worker.postMessage(bytes);
  });
}

const TOO_LARGE: Answer = { failed: "it unpacks to more than dex reads", code: "pdf_too_long", isOver: true };
const TOO_SLOW: Answer = { failed: "its pages take too long to read", code: "pdf_too_slow", isOver: true };

/** Resolves when the thread takes too much; if it never does, it is not waited for. */
async function excessOf(worker: Worker, isDone: () => boolean): Promise<Answer> {
  const started = performance.now();
  while (!isDone()) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS).unref());
    if (performance.now() - started > MAX_THREAD_MS) return TOO_SLOW;
    const used = await worker.getHeapStatistics().catch(() => undefined);
    if (used && used.used_heap_size + used.external_memory > MAX_MEMORY_BYTES) return TOO_LARGE;
  }
  return new Promise(() => {});
}
