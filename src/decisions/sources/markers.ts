/**
 * Finds decisions in code comments: `NOTE(decision): …` and `DECISION: …`, which run to the end of the comment, and
 * sentences that say that something is deliberate, or forbid something and say why.
 */
import { git } from "../../history/git.ts";
import { grepLines } from "../../history/grep.ts";
import type { Repository } from "../../history/repository.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import { redactText } from "../../redact/redact.ts";
import { choiceIn } from "../force/choices.ts";
import { standsAlone } from "../wording/alone.ts";
import { statedReason } from "../wording/cues.ts";
import { splitSentences } from "../wording/sentences.ts";
import { commentAt } from "./comments.ts";

export interface Marker {
  file: string;
  line: number;
  text: string;
  because: string | null;
  /** Marked as a decision by its author. */
  named: boolean;
}

const MAX_OUTPUT_BYTES = 4 << 20;
const MAX_MARKERS = 2000;
const MAX_FILE_BYTES = 2 << 20;
const MAX_NAMED_CHARS = 600;
const MAX_STATED_CHARS = 400;
const MIN_STATED_WORDS = 8;
const MIN_LOCAL_WORDS = 12;

/** A broad pattern for `git grep`; `markersAt` then reads the whole comment. */
const PATTERN =
  "(NOTE|TODO|HACK)\\(decision\\)|@decision|DECISION:|(//|#|--|;|\\*|%).*([Ii]ntentionally|[Dd]eliberately|[Oo]n purpose|[Bb]y design|[Dd]o not|[Dd]on't|[Mm]ust not|[Nn]ever|instead of|rather than)";
const NO_CODE = /\.(?:md|mdx|markdown|txt|rst|adoc|json|lock|svg|html?|csv|map|snap|min\.js)$/i;
/** Comments in tests explain the tests. */
const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|examples?|benchmarks?|mocks?)\/|[._-](?:test|spec|bench)\.\w+$|(?:^|\/)test_[^/]*$|_test\.\w+$/i;
const NAMED = /^(?:(?:NOTE|TODO|HACK)\(decision\)|@decision|DECISION)\s*:?\s*(.+)$/;

export async function findMarkers(repository: Repository): Promise<Marker[]> {
  if (!repository.git) return [];
  const args = ["grep", "-n", "-z", "-I", "-E", "--no-color", "--untracked", "-e", PATTERN];
  const { text } = await git(repository.root, args, { allowedExitCodes: [1], maxBytes: MAX_OUTPUT_BYTES });
  const found = new Map<string, Marker>();
  const files = new Map<string, readonly string[] | undefined>();
  for (const { file, line, content } of grepLines(text)) {
    if (found.size >= MAX_MARKERS) break;
    if (NO_CODE.test(file) || content.length > 2000) continue;
    // Git follows a linked folder, even out of the repository; this reading does not.
    if (!files.has(file)) files.set(file, readContainedText(repository.root, file, MAX_FILE_BYTES)?.split(/\r?\n/));
    for (const marker of markersAt(files.get(file) ?? [], line - 1)) {
      if (TEST.test(file) && !marker.named) continue;
      const redacted = redactText(marker.text, "printed").text;
      const clean = { ...marker, text: redacted, because: statedReason(redacted) };
      found.set(`${file} ${redacted}`, { file: redactText(file).text, ...clean });
    }
  }
  return [...found.values()];
}

/** The decisions in the comment at this line, 0-based. */
export function markersAt(lines: readonly string[], at: number): Omit<Marker, "file">[] {
  const comment = commentAt(lines, at);
  if (!comment) return [];
  const named = NAMED.exec(comment.text)?.[1];
  if (named) {
    const text = fitted(named);
    return [{ line: comment.line, text, because: statedReason(text), named: true }];
  }
  const sentences = splitSentences(comment.text);
  return sentences.flatMap((sentence, i) => {
    if (!isStated(sentence)) return [];
    const text = withSubject(sentence, sentences[i - 1]);
    if (text === undefined || text.length > MAX_STATED_CHARS) return [];
    return [{ line: comment.line, text, because: statedReason(text), named: false }];
  });
}

/** Truncated to whole sentences if the text is too long. */
function fitted(text: string): string {
  if (text.length <= MAX_NAMED_CHARS) return text;
  const cut = text.slice(0, MAX_NAMED_CHARS);
  const end = cut.lastIndexOf(". ");
  return end > 0 ? cut.slice(0, end + 1) : `${cut.slice(0, -1)}…`;
}

/** A sentence with the subject "It" needs the sentence before, which names the subject. */
function withSubject(sentence: string, before: string | undefined): string | undefined {
  if (standsAlone(sentence)) return sentence;
  const together =
    before === undefined || /^(?:so|then|and|but|or)\b/i.test(before) ? undefined : `${before} ${sentence}`;
  return together !== undefined && standsAlone(together) ? together : undefined;
}

/**
 * The main clause calls something deliberate: "we deliberately …", "… is intentionally …", "… intentionally does not
 * …".
 */
const DELIBERATE =
  /\b(?:we|is|are|stays?|remains?|do|does|and|but|which|that|\w+s) (?:also |therefore )?(?:intentionally|deliberately)\b|\b(?:intentionally|deliberately) (?:do(?:es)?n't|do(?:es)? not|not|avoids?|ignor|skips?|exclud|keeps?|kept|left|leaves?|omits?|us(?:es?|ing)|bypass|stops?|requires?|reads?|stays?|limits?|delay|drops?)|\b(?:is|are|set|kept|keeps?) [^.;]{0,60}\b(?:on purpose|by design)(?:[:,]| because| so\b|\.|$)/i;
/** A fragment without a subject and a reason is a heading. */
const FRAGMENT =
  /^(?:intentionally|deliberately|\w+ on purpose)\b(?!.*\b(?:because|so that|otherwise|since|helps?|avoids?)\b)/i;
/** Deliberate acts of a user or a test, and suppressed warnings. */
const NOT_OURS =
  /\bTODO\b|\b(?:someone|users?|people|clients?) (?:could|may|might|can|who)\b|\((?:by design|on purpose|intentional\w*)\)|\b(?:if|when|unless|whether|in case|only)\b.{0,60}\b(?:intentionally|deliberately|on purpose)\b|\b(?:intentionally|deliberately) (?:set|cleared|passed|given|empty|blank|left blank|left empty|swallow\w*|fail\w*|broken|invalid|wrong|malformed|absent|missing|unused|loose|typed|omitted)\b|\b(?:left out|forgotten|skipped|excluded|ignored) on purpose\b|@ts-|biome-|eslint|noqa|nolint|pylint|prettier-|no-?op\b|fall ?through/i;
/**
 * "This set", "that gap": words that point at code near the comment. A decision about a module or a command names it.
 */
const THIS_CODE =
  /^(?:this|that|these|those) (?!(?:[\w-]+ )?(?:modules?|packages?|commands?|functions?|class(?:es)?|components?|files?|scripts?|services?|endpoints?|entrypoints?|library|api|methods?|tools?|pages?|workflow|job|hook|middleware|plugin|adapter|parser)\b)\w+ (?:is|are)\b/i;
const FORBIDS =
  /^(?:(?:note|important|nb|warning|caution)[:!,]? )?(?:(?:we|you) (?:must not|must never)|(?:(?:we|you) )?(?:do not|don't|never))\b/i;
const NOT_A_RULE =
  /^(?:we |you )?(?:do not|don't|never) (?:ever )?\w+(?: (?:up|back|around|on))? (?:this|that|it|them|those|these)\b|^(?:do not|don't|never) \w+[;:,]|^never \w+s\b|\b(?:unless|yet|in this case|anyway)\b|\b(?:do not|don't) (?:know|have|need|care|get|see|expect|want|bother|return|exist|think|seem|edit|modify|worry|forget|remove this|change this|match|include|contain)\b|\bnever (?:mind|reach\w*|happen\w*|return\w*|called|null|undefined|fires?|see)\b|\b(?:generated|misrepresent\w*|licen[cs]e|copyright)\b/i;
/** Explains the lines around it, unless it says enough to be understood without them. */
const LOCAL = /\b(?:here|below|above|further (?:down|up)|at this point|this (?:line|case|branch|loop|call))\b/i;
const CHOOSES = /^(?:we (?:use|keep|prefer|chose|store|send|read|write)|use|using|prefer|keep|store) /i;
const REASON =
  /\b(?:because|so that|in order to|to (?:avoid|prevent|keep|protect|limit))\b|\botherwise,? \w+ \w+|, since |: (?:[a-z`_.]+ ){2}|[;—–] /i;

function isStated(sentence: string): boolean {
  // Code in backticks is mentioned, not stated.
  const plain = sentence.replace(/`[^`]*`/g, "x").replace(/^(?:note|nb|important|warning)[:!] /i, "");
  if (plain.split(" ").length < MIN_STATED_WORDS || /\?$/.test(plain) || NOT_OURS.test(plain)) return false;
  if (DELIBERATE.test(plain)) return !FRAGMENT.test(plain) && !THIS_CODE.test(plain);
  if (!REASON.test(plain) || NOT_A_RULE.test(plain)) return false;
  if (LOCAL.test(plain) && plain.split(" ").length < MIN_LOCAL_WORDS) return false;
  if (FORBIDS.test(plain)) return true;
  return CHOOSES.test(plain) && choiceIn(sentence)?.adopts !== undefined;
}
