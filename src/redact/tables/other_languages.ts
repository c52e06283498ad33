/**
 * Words for passwords and keys in other languages, as people write them in prompts and settings. Words of ASCII letters
 * (`passwort`, `senha`) are with the English ones in `judges/names.ts`. "Key" alone says little (`キー：ArrowLeft`), so only
 * keys of an API or secret ones are here.
 */

const cased = (word: string): string[] => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];

const PASSWORDS: readonly string[] = [
  ...["contraseña", "lösenord", "jelszó", "hasło", "hasła", "şifre", "şifresi"].flatMap(cased),
  ...["пароль", "пароля", "паролю", "паролем", "κωδικός"].flatMap(cased),
  ..."密码 密碼 口令 パスワード ﾊﾟｽﾜｰﾄﾞ 暗証番号 비밀번호 암호 סיסמה".split(" "),
  "كلمة المرور",
];
const KEYS: readonly string[] = [
  ...[
    "API-Schlüssel",
    "API Schlüssel",
    "Zugriffsschlüssel",
    "clé API",
    "clé d'API",
    "clé d’API",
    "clé secrète",
  ].flatMap(cased),
  ...["токен", "ключ API", "API-ключ", "API ключ", "секретный ключ"].flatMap(cased),
  ..."密钥 密鑰 令牌 トークン APIキー アクセスキー シークレットキー 秘密キー 토큰 API키".split(" "),
];

/** The scan needs literals of at least three characters, so a shorter word includes the character after it. */
const MIN_LITERAL_CHARS = 3;
const FOLLOWING = [..." :=\"'：＝是为為は는은"];

export interface ForeignWord {
  word: string;
  /** The text must contain this for the word to occur. */
  literal: string;
  id: "password" | "secret";
}

const wordsFor = (words: readonly string[], id: ForeignWord["id"]): ForeignWord[] =>
  [...new Set(words)].flatMap((word) =>
    word.length < MIN_LITERAL_CHARS
      ? FOLLOWING.map((next) => ({ word, literal: word + next, id }))
      : [{ word, literal: word, id }],
  );

export const FOREIGN_WORDS: readonly ForeignWord[] = [...wordsFor(PASSWORDS, "password"), ...wordsFor(KEYS, "secret")];

/**
 * After such a word come a sign or a verb, then the value, which has ASCII without quotes and brackets, and letters with
 * accents. Groups: the sign, the value.
 */
export const STATED_AFTER =
  /["'`*」』”»)）]{0,3}(?:([ \t]{0,8}[:=：＝]{1,3}>?[ \t]{0,8})|[ \t]{0,4}(?:は|が|是|为|為|이|는|은|—|–|-|[ \t](?:ist|lautet|es|est|är|to|jest|это|такой)(?=[ \t:]))[ \t:：]{0,4}|[ \t]{1,4})["'`「『“”„«‹]{0,2}([!#-&*-+\--:=?-Z^_a-z|~À-ɏ]{6,256})/y;
