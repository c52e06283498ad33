/**
 * Detects prompt injection: text in a document that addresses the assistant that reads it instead of the person for whom
 * the document was written. dex removes it before a model sees the passage, and never quotes it: the answer goes into
 * another agent's context. Removing it is a defence, not a proof; the frame around tool results is the other one.
 */
import { hiddenRemoved } from "./hidden.ts";

const ASSISTANT =
  "(?:assistants?|ai|ai (?:agents?|models?|systems?|tools?)|coding agents?|language models?|llms?|chatbots?|copilots?|claude|gpt|gemini)";
const SPEAK =
  "(?:answer|reply|respond|say|tell|recommend|suggest|include|mention|output|print|run|execute|call|visit|open|add|insert|repeat|ignore|follow|send)";

/** Instructions that no documentation gives to its readers. */
const INSTRUCTION_PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|earlier|above|preceding|all|any|your|system)\b.{0,30}\b(?:instructions?|prompts?|rules|guidelines|context|directions)\b/i,
  /\b(?:new|updated|real|actual|secret|important|hidden) (?:system )?(?:instructions?|prompts?|rules?|directives?)(?: for (?:the )?\w+)?\s*[:.!-]\s*(?:you|tell|always|never|ignore|do|answer|say|respond|reply|from)\b/i,
  /\byou (?:are|must) now\b.{0,60}\b(?:assistant|agent|ai|model|admin|administrator|developer|root|jailbroken|unrestricted|in \w+ mode)\b/i,
  /\bfrom now on,? you\b|\bact as (?:an?|the)\b.{0,40}\b(?:assistant|ai|language model|admin(?:istrator)?)\b|\bpretend (?:to be|that you|you are)\b/i,
  /\b(?:tell|inform|assure|convince) (?:the |your |every |any )?(?:users?|askers?|readers?|humans?|person|people|developers?)\b.{0,20}\b(?:that|to|about|the|they|their|it)\b/i,
  /\b(?:when(?:ever)?|if|before|after|while|every time) you (?:answer|reply|respond|are asked|summari[sz]e|read this|see this|process this|quote)\b/i,
  /\b(?:in|with|to|at the end of|at the start of) (?:your|every|each|any|all) (?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|outputs?)\b.{0,60}\b(?:always|include|add|mention|append|must|insert|say|link)\b/i,
  /\b(?:you must|always|never) (?:always |never )?(?:include|mention|add|append|insert|repeat)\b.{0,60}\b(?:link|url|address|sentence|phrase|answers?|repl(?:y|ies)|responses?)\b/i,
  /\b(?:reveal|leak|exfiltrate|disclose|print|show|repeat|output)\b.{0,30}\b(?:system prompt|your (?:prompt|instructions|rules|api[ -]?keys?|passwords?|credentials|environment variables))\b/i,
  /\bsend\b.{0,60}\b(?:api[ -]?keys?|passwords?|credentials|secrets|environment variables|conversation)\b.{0,60}\bto\b.{0,40}(?:https?:|\bwww\.|@)/i,
  new RegExp(
    `\\b(?:dear|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|hey|hello)[ ,:]{1,3}(?:the |all |any )?${ASSISTANT}\\b`,
    "i",
  ),
  new RegExp(
    `(?<![\\w\`-])${ASSISTANT}(?![\\w\`-])(?: (?:that|who|which|reading|using|answering|summari[sz]ing)\\b.{0,40})?,? (?:must|should|shall|please|are required to|has to|have to)\\b.{0,15}\\b${SPEAK}\\b`,
    "i",
  ),
  /<\|?(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\|?>|\[\/?INST\]|<<\/?SYS>>/i,
];

/** A line that starts like a turn of a conversation, */
const TURN =
  /^[\s>*_#-]{0,10}(system|assistant|developer|ai|human|user)\s{0,3}(?:prompt|message)?\s{0,3}[*_]{0,2}\s{0,3}:[*_]{0,2}\s+(.*)$/i;
/** and continues with an instruction or an address. */
const TURN_SPEECH =
  /\b(?:you|your|ignore|tell|always|never|must|do not|don't|answer|reply|respond|sure|okay|i am|i'm|i will|i'll|i have|the user|password|instructions?|obey|run|execute)\b/i;

export function isInstruction(text: string): boolean {
  return INSTRUCTION_PATTERNS.some((order) => order.test(text)) || isTurn(text);
}

function isTurn(text: string): boolean {
  const [, role = "", said = ""] = TURN.exec(text) ?? [];
  return role !== "" && (role === role.toUpperCase() ? said.trim() !== "" : TURN_SPEECH.test(said));
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
/** Lines are searched for instructions only up to this length. */
const MAX_LINE_CHARS = 4000;

/** The text without hidden parts and without sentences that address an assistant. Lines keep their number. */
export function withoutInjected(text: string): string {
  let fence = "";
  let inTurn = false;
  return hiddenRemoved(text)
    .split("\n")
    .map((line) => {
      const mark = FENCE.exec(line)?.[1] ?? "";
      if (mark !== "" && (fence === "" || line.trim().startsWith(fence))) fence = fence === "" ? mark : "";
      if (line.trim() === "" || mark !== "") inTurn = false;
      // A chat transcript in a code block is an example, not a turn.
      if (fence !== "")
        return INSTRUCTION_PATTERNS.some((order) => order.test(line.slice(0, MAX_LINE_CHARS))) ? "" : line;
      if (inTurn || isTurn(line)) {
        inTurn = true;
        return "";
      }
      return withoutOrders(line);
    })
    .join("\n");
}

/** Removes sentences, not lines, so that the rest of a line remains. */
function withoutOrders(line: string): string {
  if (!isInstruction(line.slice(0, MAX_LINE_CHARS))) return line;
  const sentences = line.slice(0, MAX_LINE_CHARS).split(/(?<=[.!?])\s+/);
  const kept = sentences.filter((sentence) => !isInstruction(sentence));
  return isInstruction(kept.join(" ")) ? "" : kept.join(" ");
}
