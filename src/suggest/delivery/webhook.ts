/**
 * One attempt to send a delivery to its receiver. The request is signed with its time, for the receiver to verify.
 * The receiver is not trusted either: the attempt has a timeout, follows no redirect and uses only the status.
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
/** The body of the answer is read up to this size and discarded. */
const MAX_ANSWER_BYTES = 16 << 10;

export interface WebhookRequest {
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

/** `final`: do not retry. */
export type SendResult = { ok: true } | { ok: false; error: string; retryAfterMs?: number; final?: true };

/** The value of X-Dex-Signature. The time is signed too, against replays of an old delivery. */
export function webhookSignature(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

export async function sendWebhook(hook: WebhookRequest, options: SendOptions): Promise<SendResult> {
  try {
    return resultOf(await post(hook, webhookTarget(hook.url, options.allowHosts), options), options.now());
  } catch (error) {
    return { ok: false, error: reasonOf(error) };
  }
}

function post(hook: WebhookRequest, url: URL, options: SendOptions): Promise<IncomingMessage> {
  const timestamp = String(Math.floor(options.now() / 1000));
  const body = Buffer.from(hook.body);
  const secure = url.protocol === "https:";
  const limit = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    const request = (secure ? secureRequest : plainRequest)(url, {
      method: "POST",
      // A new connection: a reused one may go to an address that was not checked.
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
        "x-dex-signature": webhookSignature(hook.secret, timestamp, hook.body),
      },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let taken = 0;
      response.on("data", (chunk: Buffer) => {
        taken += chunk.length;
        if (taken > MAX_ANSWER_BYTES) response.destroy();
      });
      // The status is known: errors in the body do not matter.
      response.on("error", () => {});
      resolve(response);
    });
    request.end(body);
  });
}

function resultOf({ statusCode = 0, headers }: IncomingMessage, now: number): SendResult {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  if (statusCode >= 300 && statusCode < 400) {
    return { ok: false, error: `answered ${statusCode}: redirects are not followed` };
  }
  if (statusCode === 410) return { ok: false, error: "answered 410: it wants no more deliveries", final: true };
  const wait = retryAfter(headers["retry-after"], now);
  return { ok: false, error: `answered ${statusCode}`, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

function reasonOf(error: unknown): string {
  if (error instanceof DexError) return error.message;
  if (error instanceof Error && (error.name === "TimeoutError" || systemCode(error) === "ABORT_ERR")) {
    return "did not answer in time";
  }
  // A host with several addresses fails once per address.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return `cannot be reached: ${systemCode(first) ?? systemCode(error) ?? errorMessage(error).slice(0, 200)}`;
}
