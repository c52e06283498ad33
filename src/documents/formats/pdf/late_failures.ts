/**
 * PDF.js leaves promises behind that nobody waits for. In a damaged file they fail, often after the file was given up, and
 * would end the process.
 */

/** A line of a stack in the file of PDF.js, as its package and the build name it. */
const FROM_PDFJS = /[\\/]pdfjs[\w.-]*\.m?js\b/;

let isListening = false;

export function outliveLateFailures(): void {
  if (isListening) return;
  isListening = true;
  process.on("unhandledRejection", (reason) => {
    if (reason instanceof Error && FROM_PDFJS.test(reason.stack ?? "")) return;
    // A listener replaces Node's own, which throws.
    if (process.listenerCount("unhandledRejection") === 1) throw reason;
  });
}
