/** Resolves when everything that other programs have sent by now is processed. Use it between two steps that do not wait. */
export function processReceived(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
