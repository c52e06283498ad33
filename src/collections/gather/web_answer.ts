/** Asking the web only for what changed, and refusing answers that are not documents. */
import { DexError } from "../../kernel/errors.ts";
import type { WebAnswer } from "../net/fetch.ts";

export function validators({
  etag,
  modified,
}: {
  etag?: string | undefined;
  modified?: string | undefined;
}): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(modified === undefined ? {} : { "if-modified-since": modified }),
  };
}

export function requireOk(answer: WebAnswer, address: string): void {
  if (answer.status === 200) return;
  throw new DexError("unreachable", `${address} answered with status ${answer.status}.`, {
    hint: "Check the address.",
  });
}
