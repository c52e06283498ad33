"""Text to pieces, exactly as src/embedding does it: words, then the longest known pieces from the left."""
import re
import unicodedata

MOST_PIECES = 12
LONGEST_PIECE = 24
_LOWER_UPPER = re.compile(r"([a-z0-9])([A-Z])")
_ACRONYM = re.compile(r"([A-Z]+)([A-Z][a-z])")
_CONTRACTION = re.compile(r"['\u2019](?:s|t|re|ve|ll|d|m)\b")
_WORD = re.compile(r"[a-z]+|[0-9]+")


def words(text):
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    text = _ACRONYM.sub(r"\1 \2", _LOWER_UPPER.sub(r"\1 \2", text)).lower()
    return _WORD.findall(_CONTRACTION.sub(" ", text))


class Tokenizer:
    def __init__(self, vocabulary):
        self.numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self.known = {}

    def pieces(self, word):
        found = self.known.get(word)
        if found is None:
            found = self.known[word] = self._split(word)
        return found

    def _split(self, word):
        whole = self.numbers.get(word)
        if whole is not None:
            return (whole,)
        out, at = [], 0
        while at < len(word) and len(out) < MOST_PIECES:
            for end in range(min(len(word), at + LONGEST_PIECE), at, -1):
                number = self.numbers.get(word[at:end] if at == 0 else "##" + word[at:end])
                if number is not None:
                    out.append(number)
                    at = end
                    break
            else:
                at += 1
        return tuple(out)

    def ids(self, text, most):
        out = []
        for word in words(text):
            out.extend(self.pieces(word))
            if len(out) >= most:
                return out[:most]
        return out


def build_vocabulary(counts, teacher_vocabulary, size):
    """
    Row 0 is padding. Then single characters, the teacher's continuation pieces, and whole words: the corpus' own by
    frequency, mixed with the teacher's list in its order (about the frequency of general English), so that everyday
    words stay whole beside technical ones.
    """
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
    vocabulary = ["[PAD]", *alphabet, *("##" + character for character in alphabet)]
    seen = set(vocabulary)
    ordered = [piece for piece, _ in sorted(teacher_vocabulary.items(), key=lambda item: item[1])]
    for piece in ordered:
        if piece.startswith("##") and re.fullmatch(r"##[a-z0-9]+", piece) and piece not in seen:
            vocabulary.append(piece)
            seen.add(piece)
    mixed = {
        word: float(count)
        for word, count in counts.items()
        if 1 < len(word) <= 20 and (not word.isdigit() or len(word) <= 4)
    }
    general = [piece for piece in ordered if re.fullmatch(r"[a-z]{2,18}", piece)]
    share = 0.35 * sum(counts.values())
    for rank, word in enumerate(general):
        mixed[word] = mixed.get(word, 0.0) + share / ((rank + 10) * 12)
    for word, _ in sorted(mixed.items(), key=lambda item: (-item[1], item[0])):
        if len(vocabulary) >= size:
            break
        if word not in seen:
            vocabulary.append(word)
            seen.add(word)
    return vocabulary
