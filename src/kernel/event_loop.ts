/** Lets input that has arrived be processed. Call it between two long synchronous steps. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
