/** Decides when a server ends, and keeps stray errors from ending it. */
import { reportError } from "./report.ts";

/**
 * Work that is still running at the end (a sync, which survives a kill) keeps the process alive no longer than this.
 */
const EXIT_GRACE_MS = 1000;

export function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

/** An error that escapes one call must not end the others. */
export function surviveStrayErrors(): void {
  process.on("uncaughtException", reportError);
  process.on("unhandledRejection", reportError);
}

export function exitSoon(): void {
  setTimeout(() => process.exit(0), EXIT_GRACE_MS).unref();
}
