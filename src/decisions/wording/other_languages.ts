/**
 * Decisions in languages other than English: German, French, Spanish, Russian, Chinese, Japanese. Only sentences that
 * say outright what is decided count, and only with a rejected alternative or a reason; questions, conditions and plans
 * do not.
 */

interface Wording {
  /** The user announces a decision: "wir nehmen …", "мы выбираем …". An agent that says this explains the code. */
  decides: RegExp;
  /** Any speaker reports a decision. */
  decided: RegExp;
  /** The first group that matched is the rejected alternative. */
  rejects: RegExp;
  /** The first group that matched is the reason. */
  because: RegExp;
  /** A question, a condition, a guess, or something that is not decided yet. */
  open: RegExp;
}

const LETTER = String.raw`[\p{L}\p{N}_]`;
/** `\b` knows only ASCII letters. */
const words = (source: string): RegExp => new RegExp(`(?<!${LETTER})(?:${source})(?!${LETTER})`, "iu");
const END = String.raw`(?=,|;|[.!](?:\s|$)|$`;

const WORDINGS: readonly Wording[] = [
  {
    decides: words(
      "wir (?:nehmen|verwenden|nutzen|benutzen|behalten|bleiben bei|setzen auf|wechseln (?:zu|auf)|verzichten auf|entscheiden uns)|(?:nehmen|verwenden|nutzen|bleiben|verzichten|entscheiden) wir(?: uns)?|(?:wir|ich) (?:haben|habe) (?:uns|mich) .{2,120} entschieden|entscheidung",
    ),
    decided: words("wir (?:haben|entscheiden) uns .{2,120}|(?:haben|entscheiden) wir uns|entscheidung"),
    rejects: new RegExp(
      String.raw`(?<=[\s,])(?:statt|anstelle von|anstatt|und nicht|und gegen|nicht) (.{2,80}?)${END}| weil| da | denn)`,
      "iu",
    ),
    because: /, (?:weil|da|denn|damit) (.{4,})$/iu,
    open: words(
      "wenn|falls|ob|vielleicht|eventuell|könnten|könnte|sollten|sollen|sollte|würden|würde|noch nicht|schlage vor",
    ),
  },
  {
    decides: words(
      "nous (?:avons (?:choisi|décidé|opté|retenu|abandonné)|choisissons|utilisons|gardons|prenons|abandonnons|passons à)|on (?:prend|garde|utilise|choisit|passe à|abandonne)|décision",
    ),
    decided: words("nous avons (?:choisi|décidé|opté|retenu|abandonné)|décision"),
    rejects: new RegExp(
      `(?:au lieu d[e'’]|plutôt qu[e'’]|et non|et pas) ?(.{2,80}?)${END}| parce| car | puisque| afin)`,
      "iu",
    ),
    because: /[ ,](?:parce qu[e'’]|car|puisqu[e'’]|afin d[e'’]) ?(.{4,})$/iu,
    open: words("si|peut-être|pourrait|pourrions|devrait|devrions|faut-il|je propose"),
  },
  {
    decides: words(
      "(?:hemos )?(?:decidido|decidimos|elegido|elegimos)|(?:usamos|usaremos|utilizamos|utilizaremos|mantenemos|descartamos)|nos quedamos con|vamos a usar|decisión",
    ),
    decided: words("hemos (?:decidido|elegido)|decidimos|elegimos|decisión"),
    rejects: new RegExp(`(?:en vez de|en lugar de|y no) (.{2,80}?)${END}| porque| ya que| para)`, "iu"),
    because: /[ ,](?:porque|ya que|puesto que|para evitar) (.{4,})$/iu,
    open: words("si|quizás|quizá|tal vez|podría|podríamos|debería|deberíamos|propongo"),
  },
  {
    decides: words(
      "(?:мы )?(?:решили|выбрали|выбираем|используем|берем|берём|оставляем|переходим на|перешли на|отказываемся от|отказались от)|решено|решение",
    ),
    decided: words("решили|выбрали|решено|решение"),
    rejects: new RegExp(
      String.raw`(?<=[\s,])(?:вместо|а не) (.{2,80}?)${END}| потому| так как| поскольку| чтобы)`,
      "iu",
    ),
    because: /, (?:потому что|так как|поскольку|чтобы) (.{4,})$/iu,
    open: words("если|может быть|возможно|стоит ли|можно|предлагаю|наверное|ли|бы"),
  },
  {
    decides:
      /(?:我们|咱们|最终|最后)(?:还是)?(?:决定|选择|选用|采用|改用|使用|放弃|不再使用)|^(?:决定|选用|采用|改用)|决定(?:采用|使用|选用|改用|不)/u,
    decided: /决定|(?:最终|最后)(?:选|采)/u,
    rejects: /(?:而不是|而非|不用|代替|放弃)\s*([^,，。;；]{1,60})/u,
    because: /(?:因为|由于|为了|以便)\s*([^。;；]{3,})/u,
    open: /[?？]|吗|呢|如果|是否|也许|可能|建议|要不要|还是[^决选采改使]/u,
  },
  {
    decides:
      /(?:を(?:採用|選択|使用)(?:します|しました|する)|(?:に|ことに)(?:します|しました|決めました|決めます|決定しました)|は(?:使いません|採用しません))/u,
    decided: /を採用(?:します|しました)|(?:に決めました|に決定しました|ことにしました)/u,
    rejects: /([^\s、。「」]{1,40}?)\s*(?:ではなく|じゃなく|の代わりに|をやめて)/u,
    because: /(?:理由は|なぜなら)\s*([^。]{3,})|([^、。]{3,}?)(?:ため|ので|から)、/u,
    open: /[?？]|(?:です|ます|でしょう)か|かもしれ|もし|たら|べき|提案|検討/u,
  },
];

/** A quick test for any of the wordings: nearly all sentences are English. */
const ANY =
  /[äöüßéèàêçñáíóú]|[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff]|\b(?:wir|nous|on|nos|hemos|vamos|usamos|usaremos|utilizamos|utilizaremos|decidimos|elegimos|mantenemos|descartamos)\b/iu;

const SCORE = 4;
const SUPPORT = 2;
const OPEN_QUESTION = /[?？]["')\]」』]*\s*$/u;
const MAX_REASON_CHARS = 300;

export interface ForeignDecision {
  score: number;
  because: string | null;
  alternatives: string[];
}

/** Undefined if the sentence states no decision in any of these languages. */
export function scoreOtherLanguages(sentence: string, isUser: boolean): ForeignDecision | undefined {
  if (!ANY.test(sentence) || OPEN_QUESTION.test(sentence)) return undefined;
  for (const { decides, decided, rejects, because, open } of WORDINGS) {
    if (!(isUser ? decides : decided).test(sentence) || open.test(sentence)) continue;
    const rejected = firstGroup(rejects.exec(sentence));
    const reason = firstGroup(because.exec(sentence));
    if (rejected === undefined && reason === undefined) continue;
    const support = Number(rejected !== undefined) + Number(reason !== undefined);
    return {
      score: SCORE + SUPPORT * support,
      because: reason?.slice(0, MAX_REASON_CHARS) ?? null,
      alternatives: rejected === undefined ? [] : [rejected],
    };
  }
  return undefined;
}

function firstGroup(match: RegExpExecArray | null): string | undefined {
  const found = match?.slice(1).find((group) => group !== undefined);
  return found?.replace(/[.!。！\s]+$/u, "").trim() || undefined;
}
