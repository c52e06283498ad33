/**
 * Which sentences of commits are decisions about the project, rather than reports of an edit. Nearly every commit does
 * one thing "instead of" another: a decision replaces a dependency or tool, or weighs two ways and states the reason.
 */
import { type Choice, choiceIn } from "../force/choices.ts";
import { isDecided, statedReason } from "./cues.ts";

export interface CommitContext {
  /** `feat`, `fix`, `docs`; empty if the subject has none. */
  type: string;
  /** The commit changed a manifest of dependencies. */
  manifest: boolean;
  dependency(name: string): boolean;
}

/** Types of commits that edit text, tests or style, or repair them. */
const NOT_THE_PRODUCT = /^(?:docs?|tests?|style|chore|ci|build|release|refactor|lint|typo|wip|examples?|bench\w*)$/i;
const MANIFEST =
  /(?:^|\/)(?:package\.json|go\.mod|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.(?:txt|in)|cargo\.toml|gemfile|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|deno\.jsonc?|[^/]*\.csproj)$/i;

/** Words of mere edits: names, tests, documentation, appearance, and the grammar of code. */
const EDIT =
  /\b(?:renam\w*|hard-?coded|duplicat\w*|magic|inlin\w*|screenshots?|typos?|lint\w*|prettier|biome|eslint|readme|changelog|docs?|docstrings?|documentation|examples?|guides?|tutorials?|landing page|navbar|logo|icons?|colou?rs?|css|fonts?|wording|naming|spelling|tests?|testing|fixtures?|mocks?|stubs?|assert\w*|imports?|variables?|constants?|casts?|casting|type assertions?|non-null|literals?|concatenation|arrow functions?|quotes?|indentation|review|nits?|labels?|toolbars?|sidebars?|buttons?|links?|comments?|benchmarks?|prompts?|regex(?:p|es)?|helpers?|for consistency|clean(?:s|ed|er|up)?|tidy|simplif\w*|reuse|unused|redundant|stale|deprecat\w+ (?:field|call|alias)\w*)\b|\bin (?:all|a few|several|\d+|both) /i;
/** A reason that any edit could give. */
const IDLE_REASON =
  /\b(?:to (?:avoid|reduce|prevent|eliminate) (?:confusion|duplication|unnecessary|noise|warnings?|errors?|conflicts?|code|the warning|false positives?|perf(?:ormance)? issues?)|for (?:clarity|readability|consistency)|deprecat\w*|maintenance)\b/i;
const MIN_REASON_WORDS = 3;
/** "so" alone also introduces consequences; it is enough where a sentence weighs two options. */
const CONSEQUENCE = /\bso (?!that\b|far\b|much\b|many\b|long\b)[\w`.]+ \w+/i;
/** Options and environment variables: part of the interface. */
const OPTION = /(?<![\w-])--[a-z][\w-]*|(?<!\w)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?!\w)/;
/** Wordings of a rule for all later changes. */
const RULE =
  /\b(?:canonical|single source of truth|opt-in|opt-out|by default|mandatory|advisory|public api|wire format)\b/i;
/** Verbs of a rule: with a reason, the rule needs no rejected alternative. */
const POLICY =
  /^(?:do not|don't|never|always|require|forbid|disallow|drop support|stop supporting|standardi[sz]e on|default to|pin)\b/i;
const SURE_REASON = /\b(?:because|so that|due to|in order to|to avoid|to prevent)\b|, since /i;
/** A hazard that a later change could bring back. */
const HAZARD =
  /\b(?:to (?:avoid|prevent)|because|so that|otherwise)\b.*\b(?:inject\w*|attacks?|leak\w*|secrets?|credentials?|vulnerab\w*|races?|deadlocks?|data loss|corrupt\w*|pollut\w*|overflows?|traversal|shell interpretation|denial of service)\b/i;

export function touchesManifest(files: readonly string[]): boolean {
  return files.some((file) => MANIFEST.test(file));
}

/** The type of a conventional commit. */
export function commitType(subject: string): string {
  return /^([a-z]+)(?:\([^)]*\))?!?:\s/i.exec(subject)?.[1] ?? "";
}

export function hasSubstance(sentence: string, context: CommitContext): boolean {
  const choice = choiceIn(sentence);
  if (/^\W*renam/i.test(sentence)) return false;
  // A page that recommends another tool does not replace it.
  const edited = /^(?:docs?|tests?|examples?)$/i.test(context.type);
  if (choice && (!edited || context.manifest) && replacesDependency(choice, context)) return true;
  // Code in backticks is a name; "test" in it is not a word of the sentence.
  if (NOT_THE_PRODUCT.test(context.type) || EDIT.test(sentence.replace(/`[^`]*`/g, "x"))) return false;
  if (HAZARD.test(sentence) || isDecided(sentence)) return true;
  if (POLICY.test(sentence) && SURE_REASON.test(sentence)) return !IDLE_REASON.test(sentence);
  if (choice?.adopts === undefined || choice.drops === undefined) return false;
  if (OPTION.test(sentence) || RULE.test(sentence)) return true;
  const reason = statedReason(sentence) ?? CONSEQUENCE.exec(sentence)?.[0];
  return reason !== undefined && reason.split(/\s+/).length >= MIN_REASON_WORDS && !IDLE_REASON.test(sentence);
}

const PACKAGE = /^@?[a-z0-9][\w.:/@-]*(?: [a-z0-9][\w.:/@-]*)?$/i;
/** Neither of two protocols, or of two versions of one thing, is a dependency. */
const NOT_A_PACKAGE =
  /^(?:https?|git|ssh|node \d|\d|v\d|python ?\d|true|false|null|undefined|any|unknown|var|let|const)/i;

/** Both options look like packages or tools; and the project uses the adopted one, or the commit changed a manifest. */
function replacesDependency({ adopts, drops }: Choice, { manifest, dependency }: CommitContext): boolean {
  if (adopts === undefined || drops === undefined || adopts === drops) return false;
  if (![adopts, drops].every((side) => PACKAGE.test(side) && !NOT_A_PACKAGE.test(side))) return false;
  const isKnown = (side: string): boolean => dependency(side) || side.split(" ").some((word) => dependency(word));
  return isKnown(adopts) && !dependency(drops) && (dependency(adopts) || manifest);
}
