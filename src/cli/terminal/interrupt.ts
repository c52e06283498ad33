/** Ctrl-C during a long operation: the first one stops it cleanly, the second exits at once. */
export interface Interrupt {
  signal: AbortSignal;
  /** Restores the default handling of the signals. */
  end(): void;
}

/** The exit status that shells use for a program ended by SIGINT. */
export const INTERRUPTED_STATUS = 130;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export function stopOnInterrupt(): Interrupt {
  const stop = new AbortController();
  const interrupted = (): void => {
    if (stop.signal.aborted) process.exit(INTERRUPTED_STATUS);
    // On a terminal, first clear the progress bar.
    const clearLine = process.stderr.isTTY ? "\r\u001b[2K" : "";
    process.stderr.write(`${clearLine}Stopping; press Ctrl-C again to exit at once.\n`);
    stop.abort();
  };
  for (const name of SIGNALS) process.on(name, interrupted);
  return {
    signal: stop.signal,
    end: () => {
      for (const name of SIGNALS) process.off(name, interrupted);
    },
  };
}
