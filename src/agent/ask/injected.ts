/**
 * Text from outside that speaks to the model instead of to the reader. Two defences that need no model: what a tool
 * found cannot close the frame it is put in, or look like a turn of the conversation; and a sentence that gives orders
 * to an assistant is not quoted, since an answer goes on into another agent's context.
 */

const ORDERS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|context|directions)\b/i,
  /\b(?:new|updated|real|actual|secret) (?:system )?(?:instructions?|prompt)\b\s*[:.-]/i,
  /\byou (?:are|must) now\b|\bfrom now on,? you\b|\bact as (?:an?|the)\b.{0,40}\b(?:assistant|ai|model|system|admin)/i,
  /\b(?:reveal|print|show|send|leak|exfiltrate|output|repeat)\b.{0,60}\b(?:system prompt|api[ -]?keys?|passwords?|credentials|secrets|environment variables)\b/i,
  /\b(?:assistants?|agents?|ai models?|language models?|llms?|chatbots?)\b.{0,30}\b(?:must|should|shall|please)\b.{0,60}\b(?:answer|reply|respond|say|call|run|execute|recommend|tell)\b/i,
  /^\s*(?:system|assistant|developer)\s*:\s/i,
  /<\|?(?:im_start|im_end|system|endoftext|start_header_id)\|?>/i,
];

export function givesOrders(text: string): boolean {
  return ORDERS.some((order) => order.test(text));
}

/** Zero-width and direction marks hide text from the reader that a model sees. */
const HIDDEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const TURN =
  /<(\/?)(\|?)(im_start|im_end|system|assistant|user|developer|tool|found|instructions?|endoftext|start_header_id|end_header_id|eot_id)\b/gi;

export function harmless(text: string): string {
  return text
    .replace(/(?![\t\n])\p{Cc}/gu, "")
    .replace(HIDDEN, "")
    .replace(TURN, "‹$1$2$3");
}
