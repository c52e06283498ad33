/** Ctrl-C while something long runs: the first one ends it in good order, the second at once. */
export interface Interrupt {
  signal: AbortSignal;
  /** Gives the keys back their usual meaning. */
  end(): void;
}

/** As shells count a program that a signal ended. */
export const INTERRUPTED_STATUS = 130;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export function stopOnInterrupt(): Interrupt {
  const stop = new AbortController();
  const interrupted = (): void => {
    if (stop.signal.aborted) process.exit(INTERRUPTED_STATUS);
    // On a terminal a progress bar stands in the line.
    const wipe = process.stderr.isTTY ? "\r\u001b[2K" : "";
    process.stderr.write(`${wipe}Stopping; press Ctrl-C again to end at once.\n`);
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
