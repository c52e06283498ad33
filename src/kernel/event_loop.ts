/** Yields to the event loop, so that input that has arrived is processed. Call it between two long synchronous steps. */
export function processReceived(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
