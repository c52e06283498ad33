/**
 * Tests whether a prompt says what it is about. "go on", "commit" or "fix it" mean something only within their session,
 * so a suggestion for such a prompt alone would be a guess. A path, an identifier, a number or a quotation is content,
 * and so is every word besides the common words of talking with an agent.
 */
import { patternFor } from "../text/patterns.ts";
import { FOREIGN_FUNCTION_WORDS } from "../text/terms/function_words.ts";

/** Words that occur in any prompt: function words, politeness, approval. */
const COMMON_WORDS = `
a about above after again all almost alright already also always am an and another any anymore anyway are as at away back
be because been before being both but by can cannot cant come cool correct could course did do does doesnt doing don done
dont down each either else enough even every everything exactly far few fine first for from full further get getting give
go goes going gone good got great had has have having he hello her here hey hi him his how however i id if ill im in
instead into is isnt it its itself ive just keep kind know last least left less let lets like little look looks lot made
make makes making many may maybe me mean means might more most much must my need needs never new next nice no none nope not
nothing now of off oh ok okay old on once one only or other our out over own part perfect perhaps please possible pretty
probably quite rather ready really right same say see seems set shall she should since so some something soon still stuff
such sure take than thank thanks thanx that thats the their them then there these they thing things think this those though
through thus till time to together too two u under until up us use used using very via want wanted was wasnt way we well
were what whatever whats when where whether which while who whole why will with without wont work worked working works
would wow wrong yeah yep yes yet you your yours yup
afternoon ahead ahh amazing asap awesome brilliant bye evening everyone excellent fyi hmm latest lgtm morning night recent recently sense sorry welcome wip wonderful
aber also auch bitte danke das dann der die doch ein eine es gut ich ist ja jetzt klar mach machen mal mit nein nicht noch
nochmal oder okay so und was weiter wie
adelante bien ca continua continue continuer cest daccord et favor gracias je la le les listo merci mais continuar non ouais oui ok por seguir si sigue sin super voila y
ano avanti bene da dale devam dobra dobrze evet gaan ga graag grazie isso jij kontynuuj lekker nao nie obrigado per pode procedi vas-y procedere prego procede proszę sim tak tamam teşekkürler va vai verder
fertig gerne genau los passt perfekt prima richtig accord fais parfait perfecto vale
ладно ок отлично спасибо сделай
`;

/** Verbs and nouns of every project, about the next step and not the subject of the work. */
const WORKFLOW_WORDS = `
abort accept add address adjust amend answer apply approve ask backup begin branch broken build bug bugs bump cancel change changed
changes check checks clean cleanup clear code coding comment comments command commit commits committed compact compile complete completed
confirm conflict conflicts console continue continued create debug delete deploy describe description diff do docs double edit empty end
error errors execute exit expand explain fail failed failing fails file files find finish finished fix fixed fixes folder
follow format forward generate git guess handle happen happened happens help idea ideas implement implementation improve
init install issue issues job leave line lines lint list load log logs main master merge message method minor modify move
open optimize option options order output page pass passed passes pause perform pick plan plans play point polish pr pr's
prepare print problem problems proceed project prompt pull push question request requests questions quick quit read readme rebase recheck recommend recommendation recommendations
redo refactor release remaining remember remove rename repeat repo repository reread rerun rerunning resolve respond rest
restart result results resume retest retry return revert review rewrite rollback run running save script session share ship
short show shorter simplify skip sounds stage staged staging start started state status step steps stop submit suggest suggestion suggestions
summarize summary switch sync task tasks tell test tested testing tests todo todos try trying type typo uncommitted undo
unstaged update updated updates upgrade verify version wait warnings watch wording write
дальше закоммить запусти исправь продолжай продолжи проверь
`;

/** Those of them that are verbs of instructions and never tell where. */
const INSTRUCTIONS = `
add added adding adds change changed changes create created creates fix fixed fixes fixing implement implemented implements
improve improved improves make makes making need needs new update updated updates updating use used uses using want
`;

const wordsIn = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ""));
const FUNCTION_WORDS = wordsIn(COMMON_WORDS).union(FOREIGN_FUNCTION_WORDS);
const EMPTY_WORDS = FUNCTION_WORDS.union(wordsIn(WORKFLOW_WORDS));

const INSTRUCTION_WORDS = wordsIn(INSTRUCTIONS);

/** Whole prompts in scripts without spaces between words: approval, and what to do next. */
const EMPTY_PHRASES: ReadonlySet<string> = new Set(
  (
    "继续 好 好的 是 是的 对 可以 行 谢谢 你好 开始 提交 推送 测试 运行 执行 修复 修改 更新 检查 完成 下一步 " +
    "はい いいえ 続け 続けて 続き 進めて ありがとう ありがとうございます よろしく 実行 修正 確認 コミット プッシュ テスト 実装 更新 次 いいね " +
    "네 계속 계속해 감사합니다 да нет продолжай спасибо"
  ).split(" "),
);
/** Politeness and particles around such a phrase. */
const POLITE_BEFORE = /^(?:请|請|では|じゃあ|那就?|好的?[,，]|はい[、,])/;
const POLITE_AFTER = /(?:を?(?:して)?(?:ください|下さい|お願いします|お願い)|して|吧|一下|了|啊|해줘|해주세요)$/;

/** A path, an identifier, a dotted or numbered name, a flag, a hash, a quotation. */
const NAMES_SOMETHING = patternFor(
  String.raw`[\w-]+[\\/.][\w-]+|\p{Ll}\p{Lu}|\w_\w|(?<!\w)--?[a-z][\w-]+|[a-z]+\d|\d[a-z]|\d{2,}|[\x60"'“][^\x60"'”]{2,}[\x60"'”]|\b\p{Lu}{2,}\w*\b`,
);
const WORD = patternFor(String.raw`\p{L}[\p{L}\p{M}\p{N}'’-]*`, "g");
const MARKS_AT_END = patternFor(String.raw`[\p{P}\p{S}\s]+$`);
/** Scripts that are written without spaces. */
const SPACELESS = patternFor(String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`);
const MIN_WORD_CHARS = 3;
/** Shorter prompts are looked at word by word; a longer one always says something. */
const MAX_SHORT_CHARS = 400;

export function hasContent(prompt: string): boolean {
  const text = prompt.trim();
  if (text.length > MAX_SHORT_CHARS) return true;
  const bare = text.replace(MARKS_AT_END(text), "");
  if (EMPTY_PHRASES.has(bare) || EMPTY_PHRASES.has(bare.replace(POLITE_BEFORE, "").replace(POLITE_AFTER, "")))
    return false;
  if (isSlashCommand(text)) return false;
  const other = text.replaceAll(/\b(?:PR|OK|LGTM|ASAP|FYI|WIP|TODO|README|CI)s?\b/g, " ");
  if (NAMES_SOMETHING(other).test(other)) return true;
  return [...text.matchAll(WORD(text))].some(([word]) => isContent(word.toLowerCase()));
}

/** The address of an issue, a pull request or a page only points to a subject; the address of a file names it. */
const ADDRESS = /\bhttps?:\/\/(?!\S*\/blob\/)\S+/gi;

/** Whether a prompt says enough for suggestions that nobody asked for. */
export function isWorthAnswering(prompt: string): boolean {
  return hasContent(prompt.replaceAll(ADDRESS, " "));
}

function wordsOf(prompt: string): string[] {
  const text = prompt.replaceAll(ADDRESS, " ");
  return [...new Set(Array.from(text.matchAll(WORD(text)), ([word]) => word.toLowerCase()))];
}

/** A prompt with so many content words states its subject fully; one with fewer, in part. */
const ENOUGH_WORDS = 3;

/** The words that are not common to all prompts, each once. */
export function contentWords(prompt: string): string[] {
  return wordsOf(prompt).filter(isContent);
}

/** All words except function words, each once: next to others, "retry" or "rename" tell what the prompt is about. */
export function nonFunctionWords(prompt: string): string[] {
  return wordsOf(prompt).filter((word) => word.length >= MIN_WORD_CHARS && !FUNCTION_WORDS.has(word));
}

/** "add" and "new" say what to do with the subject of a prompt. */
export function isInstruction(word: string): boolean {
  return INSTRUCTION_WORDS.has(word.toLowerCase());
}

/** How fully a prompt states its subject, 0 to 1: "the tooltip" matches many texts by coincidence. */
export function fullness(prompt: string): number {
  if (SPACELESS(prompt).test(prompt)) return 1;
  return Math.min(1, contentWords(prompt).length / ENOUGH_WORDS);
}

/** `/compact`, `/review`: a command of the host, without arguments. */
function isSlashCommand(text: string): boolean {
  return /^\/[\w:-]+$/.test(text);
}

function isContent(word: string): boolean {
  const plain = word.replaceAll(/['’]/g, "");
  if (EMPTY_WORDS.has(plain)) return false;
  // A "word" of a script without spaces is a sentence.
  if (SPACELESS(plain).test(plain)) return plain.length > 1;
  return plain.length >= MIN_WORD_CHARS && !baseForms(plain).some((form) => EMPTY_WORDS.has(form));
}

/** Base forms of a word: "merge" for "merged", "plan" for "planned", "retry" for "retries". */
function baseForms(word: string): string[] {
  const stem = word.replace(/(?:s|ed|ing|ly)$/, "");
  if (stem === word) return [];
  return [stem, `${stem}e`, stem.replace(/(.)\1$/, "$1"), stem.replace(/ie?$/, "y")];
}
