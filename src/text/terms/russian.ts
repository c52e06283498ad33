/** Reduces a Russian word to its stem by the rules of Snowball: `напоминание`, `напоминаний` and `напоминаниям` are one term. */

const PERFECTIVE_GERUND = /(?:(?<=[ая])(?:в|вши|вшись)|ив|ивши|ившись|ыв|ывши|ывшись)$/;
const REFLEXIVE = /(?:ся|сь)$/;
const ADJECTIVE = /(?:ее|ие|ые|ое|ими|ыми|ей|ий|ый|ой|ем|им|ым|ом|его|ого|ему|ому|их|ых|ую|юю|ая|яя|ою|ею)$/;
const PARTICIPLE = /(?:(?<=[ая])(?:ем|нн|вш|ющ|щ)|ивш|ывш|ующ)$/;
const VERB =
  /(?:(?<=[ая])(?:ла|на|ете|йте|ли|й|л|ем|н|ло|но|ет|ют|ны|ть|ешь|нно)|ила|ыла|ена|ейте|уйте|ите|или|ыли|ей|уй|ил|ыл|им|ым|ен|ило|ыло|ено|ят|ует|уют|ит|ыт|ены|ить|ыть|ишь|ую|ю)$/;
const NOUN =
  /(?:а|ев|ов|ие|ье|е|иями|ями|ами|еи|ии|и|ией|ей|ой|ий|й|иям|ям|ием|ем|ам|ом|о|у|ах|иях|ях|ы|ь|ию|ью|ю|ия|ья|я)$/;
const DERIVATIONAL = /ость?$/;
const SUPERLATIVE = /ейше?$/;

const VOWEL = /[аеиоуыэюя]/;
/** Up to the end of the first consonant after a vowel. */
const FIRST_SYLLABLE = /^.*?[аеиоуыэюя][^аеиоуыэюя]/;

/** The word in small letters, with `е` for `ё`. */
export function stemRussian(word: string): string {
  const vowel = word.search(VOWEL);
  if (vowel < 0) return word;
  const head = word.slice(0, vowel + 1);
  let rest = word.slice(vowel + 1);
  rest = withoutEnding(rest).replace(/и$/, "");
  const whole = head + rest;
  const syllable = FIRST_SYLLABLE.exec(whole)?.[0].length ?? whole.length;
  const second = syllable + (FIRST_SYLLABLE.exec(whole.slice(syllable))?.[0].length ?? whole.length);
  const derived = DERIVATIONAL.exec(rest);
  if (derived && head.length + derived.index >= second) rest = rest.slice(0, derived.index);
  if (rest.endsWith("нн")) return head + rest.slice(0, -1);
  const plain = rest.replace(SUPERLATIVE, "");
  if (plain !== rest) return head + plain.replace(/нн$/, "н");
  return head + rest.replace(/ь$/, "");
}

function withoutEnding(rest: string): string {
  const gerund = rest.replace(PERFECTIVE_GERUND, "");
  if (gerund !== rest) return gerund;
  const plain = rest.replace(REFLEXIVE, "");
  const adjective = plain.replace(ADJECTIVE, "");
  if (adjective !== plain) return adjective.replace(PARTICIPLE, "");
  const verb = plain.replace(VERB, "");
  return verb === plain ? plain.replace(NOUN, "") : verb;
}
