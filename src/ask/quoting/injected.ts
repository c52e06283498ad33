/**
 * Detects prompt injection: sentences that address an assistant instead of the reader. dex does not quote them, because
 * the answer goes into another agent's context. (`src/text/clean.ts` keeps a passage from closing its frame or looking
 * like a turn of the conversation.)
 */

const INSTRUCTION_PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|context|directions)\b/i,
  /\b(?:new|updated|real|actual|secret) (?:system )?(?:instructions?|prompt)\b\s*[:.-]/i,
  /\byou (?:are|must) now\b|\bfrom now on,? you\b|\bact as (?:an?|the)\b.{0,40}\b(?:assistant|ai|model|system|admin)/i,
  /\b(?:reveal|print|show|send|leak|exfiltrate|output|repeat)\b.{0,60}\b(?:system prompt|api[ -]?keys?|passwords?|credentials|secrets|environment variables)\b/i,
  /\b(?:assistants?|agents?|ai models?|language models?|llms?|chatbots?)\b.{0,30}\b(?:must|should|shall|please)\b.{0,60}\b(?:answer|reply|respond|say|call|run|execute|recommend|tell)\b/i,
  /^\s*(?:system|assistant|developer)\s*:\s/i,
  /<\|?(?:im_start|im_end|system|endoftext|start_header_id)\|?>/i,
];

export function isInstruction(text: string): boolean {
  return INSTRUCTION_PATTERNS.some((order) => order.test(text));
}
