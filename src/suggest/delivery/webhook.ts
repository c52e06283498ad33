/**
 * One attempt to hand a delivery to its receiver. It is signed, so that the receiver knows who sent it and when; it is
 * short, follows no redirect and reads no answer beyond its status, because the receiver is not trusted either.
 */
import { createHmac } from "node:crypto";
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { ResolveName } from "../../collections/net/lookup.ts";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
import { retryAfter } from "../../kernel/net/http.ts";
import { VERSION } from "../../version.ts";
import { targetLookup, webhookTarget } from "./targets.ts";

export const TIMEOUT_MS = 5000;
/** Of an answer, so much is taken for politeness, and nothing of it is used. */
const MOST_ANSWERED = 16 << 10;

export interface Hook {
  url: string;
  secret: string;
  deliveryId: string;
  subscriptionId: string;
  /** From 1. */
  attempt: number;
  body: string;
}

export interface SendOptions {
  allowHosts: readonly string[];
  now(): number;
  timeoutMs?: number;
  resolve?: ResolveName;
  signal?: AbortSignal;
}

/** `final`: there is no use in trying again. */
export type Outcome = { ok: true } | { ok: false; error: string; retryAfterMs?: number; final?: true };

/** What stands in X-Dex-Signature. The time is signed too, so that an old delivery cannot be sent again as a new one. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

export async function sendWebhook(hook: Hook, options: SendOptions): Promise<Outcome> {
  try {
    return outcomeOf(await post(hook, webhookTarget(hook.url, options.allowHosts), options), options.now());
  } catch (error) {
    return { ok: false, error: reasonOf(error) };
  }
}

function post(hook: Hook, url: URL, options: SendOptions): Promise<IncomingMessage> {
  const timestamp = String(Math.floor(options.now() / 1000));
  const body = Buffer.from(hook.body);
  const secure = url.protocol === "https:";
  const limit = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    const request = (secure ? secureRequest : plainRequest)(url, {
      method: "POST",
      // A connection of its own: none that was made before its address was checked.
      agent: secure ? new SecureAgent({ keepAlive: false }) : new PlainAgent({ keepAlive: false }),
      lookup: targetLookup(url, options.resolve),
      signal: options.signal ? AbortSignal.any([limit, options.signal]) : limit,
      headers: {
        "content-type": "application/json",
        "content-length": body.length,
        "user-agent": `dex/${VERSION} (webhook)`,
        "x-dex-event": "context.suggestion",
        "x-dex-delivery": hook.deliveryId,
        "x-dex-subscription": hook.subscriptionId,
        "x-dex-attempt": hook.attempt,
        "x-dex-timestamp": timestamp,
        "x-dex-signature": signatureOf(hook.secret, timestamp, hook.body),
      },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let taken = 0;
      response.on("data", (chunk: Buffer) => {
        taken += chunk.length;
        if (taken > MOST_ANSWERED) response.destroy();
      });
      // The status has come: what happens to the rest of the answer changes nothing.
      response.on("error", () => {});
      resolve(response);
    });
    request.end(body);
  });
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage, now: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  if (statusCode >= 300 && statusCode < 400) {
    return { ok: false, error: `answered ${statusCode}: redirects are not followed` };
  }
  if (statusCode === 410) return { ok: false, error: "answered 410: it wants no more", final: true };
  const wait = retryAfter(headers["retry-after"], now);
  return { ok: false, error: `answered ${statusCode}`, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

function reasonOf(error: unknown): string {
  if (error instanceof DexError) return error.message;
  if (error instanceof Error && (error.name === "TimeoutError" || systemCode(error) === "ABORT_ERR")) {
    return "did not answer in time";
  }
  // Of a name with several addresses each attempt failed for itself.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return `cannot be reached: ${systemCode(first) ?? systemCode(error) ?? errorMessage(error).slice(0, 200)}`;
}
