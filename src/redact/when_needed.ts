/** Redaction of short texts that seldom need it: the rules are loaded only for one that may contain a secret. */
import { isPlain } from "./plain.ts";

/** The returned function is only valid for these texts. */
export async function redactionFor(texts: readonly string[]): Promise<(text: string) => string> {
  if (texts.every((text) => isPlain(text))) return (text) => text;
  const { redactText } = await import("./redact.ts");
  return (text) => redactText(text).text;
}
