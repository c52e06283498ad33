/** When a server ends, and what must not end it. */
import { reportError } from "./report.ts";

/** Work that still runs after the end (a sync, which a kill does not harm) keeps the process alive no longer than this. */
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
