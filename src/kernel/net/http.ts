/** Reads responses of untrusted servers: the Retry-After header, and text up to a limit. */

/** The delay of a Retry-After header in milliseconds; the header holds seconds or a date. */
export function retryAfter(header: string | null | undefined, now: number): number | undefined {
  const given = header?.trim();
  if (given === undefined || given === "") return undefined;
  if (/^\d+(?:\.\d+)?$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export class TooLarge extends Error {}

/** Streams the text. Throws TooLarge and closes the connection when the text exceeds the limit. */
export async function* boundedText(response: Response, maxBytes: number): AsyncGenerator<string> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLarge(`more than ${maxBytes} bytes`);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}
