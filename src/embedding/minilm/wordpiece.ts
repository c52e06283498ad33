/** BERT's uncased tokenizer: words and punctuation without accents, split into the longest known pieces. */

const MAX_WORD_CHARS = 100;
const START = "[CLS]";
const END = "[SEP]";
const UNKNOWN = "[UNK]";

export interface WordPiece {
  vocab: ReadonlyMap<string, number>;
  start: number;
  end: number;
  unknown: number;
}

export function wordPiece(vocab: ReadonlyMap<string, number>): WordPiece | undefined {
  const [start, end, unknown] = [vocab.get(START), vocab.get(END), vocab.get(UNKNOWN)];
  if (start === undefined || end === undefined || unknown === undefined) return undefined;
  return { vocab, start, end, unknown };
}

/** At most `most` ids, including start and end. */
export function pieceIds(tokenizer: WordPiece, text: string, most: number): number[] {
  const ids = [tokenizer.start];
  for (const [word] of clean(text).matchAll(WORDS)) {
    if (ids.length >= most - 1) break;
    addWord(tokenizer, word, ids);
  }
  ids.length = Math.min(ids.length, most - 1);
  ids.push(tokenizer.end);
  return ids;
}

/** Punctuation and ideographs are words of their own. ASCII symbols count as punctuation. */
const ALONE = String.raw`\p{P}$+<=>^\x60|~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}`;
const WORDS = new RegExp(`[${ALONE}]|[^\\s${ALONE}]+`, "gu");

function clean(text: string): string {
  return text
    .replace(/[\0\ufffd]|(?![\t\n\r])\p{C}/gu, "")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

function addWord({ vocab, unknown }: WordPiece, word: string, ids: number[]): void {
  const before = ids.length;
  const letters = [...word];
  if (letters.length > MAX_WORD_CHARS) {
    ids.push(unknown);
    return;
  }
  for (let from = 0; from < letters.length; ) {
    let to = letters.length;
    let id: number | undefined;
    for (; to > from; to -= 1) {
      id = vocab.get((from > 0 ? "##" : "") + letters.slice(from, to).join(""));
      if (id !== undefined) break;
    }
    if (id === undefined) {
      // One unknown part makes the whole word unknown.
      ids.length = before;
      ids.push(unknown);
      return;
    }
    ids.push(id);
    from = to;
  }
}
