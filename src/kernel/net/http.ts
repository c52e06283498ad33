/** Answers of servers, which are not trusted: how long they ask to wait, and their text within a bound. */

/** Milliseconds that a Retry-After header asks to wait: it names seconds or a date. */
export function retryAfter(header: string | null | undefined, now: number): number | undefined {
  const given = header?.trim();
  if (given === undefined || given === "") return undefined;
  if (/^\d+(?:\.\d+)?$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export class TooLarge extends Error {}

/** The text as it comes. What is larger than it may be ends with TooLarge, and the connection with it. */
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
