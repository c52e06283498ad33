/** Which names announce a secret: `DB_PASSWORD`, `clientSecret`, "API key" do; `max_tokens`, `cache_key`, `token_type` do not. */
import { VENDOR_NAMES } from "./rules.ts";

export interface SecretName {
  /** The rule's id in the marker. */
  id: string;
  kind: "password" | "secret" | "token" | "authorization" | "cookie" | "signature";
}

/** Endings for the scan. It only has to be cheap and to miss nothing: `secretName` decides. */
const ENDINGS = [
  "key",
  "token",
  "secret",
  "password",
  "passwd",
  "pwd",
  "pass",
  "passphrase",
  "passcode",
  "auth",
  "authorization",
  "bearer",
  "credential",
  "credentials",
  "cookie",
  "cookies",
  "sig",
  "signature",
];
const QUALIFIERS =
  "base|prod|production|dev|development|stage|staging|live|test|sandbox|default|main|primary|secondary|old|new|current|value|raw|plain|v\\d|\\d{1,2}";

/** Source of the endings in either case. */
export const NAME_ENDING = ENDINGS.map(anyCase).join("|");

/** Lookbehind source: a name that may announce a secret, with what may stand between it and its `:` or `=`. */
export const NAME_BEFORE = `(?:${NAME_ENDING})(?:[_-]?(?:${QUALIFIERS.split("|").map(anyCase).join("|")}))?[?!]?["'\`\\]\\\\]{0,4}[ \\t]{0,24}`;

const NAME = /(?:[A-Za-z]{2,12} ){0,2}[A-Za-z0-9_.$-]{1,64}$/;
const QUALIFIED = new RegExp(`_?(?:${QUALIFIERS})$`);

const PASSWORD =
  /(?:password|passwd|passphrase|passcode|pwd|(?:^|_)(?:db|user|root|admin|smtp|mail|pg|ftp|ssh|login|my)?pass|(?:^|_)pw)$/;
const SECRET = /(?:secret|(?:^|_)credentials?)$/;
const KEY =
  /(?:^|_)(?:api|access|secret|private|signing|sign|encryption|encrypt|decryption|master|auth|account|app|application|service|role|shared|consumer|client|licen[sc]e|deploy|subscription|jwt|session|admin|webhook|hmac|aes|storage|server|ingest|ingestion|write|integration|api_access|root|host|function|functions)_?key$/;
const TOKEN =
  /(?:auth|access|refresh|api|bearer|bot|deploy|admin|service|personal|pat|oauth|session|security|id|user|app|webhook|registry|publish|upload|jwt|csrf|xsrf|identity)_?token$/;
const PLAIN_TOKEN = /(?:^|_)(?:token|tok|auth|bearer|jwt)$|token$/;
const NOT_SECRET =
  /(?:^|_)(?:next|page|paging|pagination|continuation|continue|cancel|cancellation|abort|sync|prev|previous|start|end|stop|eos|bos|eot|pad|unk|mask|sep|cls|max|min|num|count|total|last|first|design|css|color|theme|syntax|lexer|parser|current|peek|public|publishable|resume|cursor|change|concurrency|idempotency|request|client_request|cache|trace|lock|lease|image|by|pass)_?(?:token|key|auth)$|(?:^|_)(?:by|com|tres|sur)_?pass$/;

const VENDORS = new Set(VENDOR_NAMES);

/** The name that ends where `text` ends, if it announces a secret. */
export function secretNameBefore(text: string): SecretName | undefined {
  const found = NAME.exec(text);
  return found === null ? undefined : secretName(found[0]);
}

export function secretName(name: string): SecretName | undefined {
  const plain = normalise(name);
  const vendor = vendorOf(plain);
  if (/(?:^|_)(?:proxy_)?authorization$/.test(plain)) return { id: "authorization", kind: "authorization" };
  if (/(?:^|_)cookies?$/.test(plain)) return { id: "cookie", kind: "cookie" };
  if (/(?:^|_)(?:sig|(?:amz|goog)_signature)$/.test(plain)) return { id: "url-signature", kind: "signature" };
  if (NOT_SECRET.test(plain)) return undefined;
  if (PASSWORD.test(plain)) return { id: "password", kind: "password" };
  if (/secret_access_key$/.test(plain)) return { id: "aws-secret-key", kind: "secret" };
  if (/(?:account|shared_access)_?key$/.test(plain)) return { id: "azure-account-key", kind: "secret" };
  if (SECRET.test(plain)) return { id: vendor ?? "secret", kind: "secret" };
  if (KEY.test(plain) || (vendor !== undefined && /_key$/.test(plain)))
    return { id: vendor ?? "api-key", kind: "secret" };
  if (TOKEN.test(plain)) return { id: vendor ?? "token", kind: "secret" };
  if (PLAIN_TOKEN.test(plain)) return { id: vendor ?? "token", kind: vendor === undefined ? "token" : "secret" };
  return undefined;
}

/** `dbPassword1`, `DB-PASSWORD` and `db.password` all become `db_password`. */
function normalise(name: string): string {
  let plain = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
  while (QUALIFIED.test(plain)) plain = plain.replace(QUALIFIED, "");
  return plain;
}

function vendorOf(plain: string): string | undefined {
  for (const word of plain.split("_")) if (VENDORS.has(word)) return `${word}-key`;
  return undefined;
}

/** A source that matches a literal in either case, letter by letter: the `i` flag would slow the whole scan. */
function anyCase(source: string): string {
  return source.replace(/\\[a-z]|[a-z]/g, (part) => (part.startsWith("\\") ? part : `[${part}${part.toUpperCase()}]`));
}
