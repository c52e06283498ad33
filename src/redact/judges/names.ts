/** Which names announce a secret: `DB_PASSWORD`, `clientSecret`, "API key" do; `max_tokens`, `cache_key`, `token_type` do not. */
import { SPLIT_VENDORS, VENDOR_NAMES } from "../tables/vendors.ts";

export interface SecretName {
  /** The rule's id in the marker. */
  id: string;
  /**
   * How sure the name is, and how its value is read. `connection`: a password only inside a connection string; `phrase`: words that restore
   * a wallet; `identifier`: the public half of a credential; `pair`: two short halves with a colon between them.
   */
  kind:
    | "password"
    | "secret"
    | "token"
    | "connection"
    | "authorization"
    | "cookie"
    | "signature"
    | "phrase"
    | "identifier"
    | "pair";
}

/** Endings of names; the text is scanned for these, then `secretName` decides. */
const ENDINGS =
  "key token secret password passwd passwort kennwort wachtwoord senha parola motdepasse passe pwd pass passphrase passcode auth authorization bearer jwt credential credentials creds cookie cookies sig signature mnemonic phrase login psk";
/** Endings with a fixed form: personal access tokens, and ids that vendors issue together with a secret. */
const FIXED_ENDINGS = "_PAT _pat client_id clientId CLIENT_ID client-id access_id accessId ACCESS_ID CONTRIBSYS__COM";
const QUALIFIERS =
  "base|prod|production|dev|development|stage|staging|live|test|sandbox|default|main|primary|secondary|old|new|current|value|raw|plain|v\\d|\\d{1,2}";

/** The endings as they are written: `token`, `Token`, `TOKEN`. */
export const NAME_LITERALS: readonly string[] = [
  ...ENDINGS.split(" ").flatMap((ending) => [
    ending,
    ending.charAt(0).toUpperCase() + ending.slice(1),
    ending.toUpperCase(),
  ]),
  ...FIXED_ENDINGS.split(" "),
];

/** Suffixes that belong to the name: `_PROD`, `2`. */
export const NAME_QUALIFIER = new RegExp(`[_-]?(?:${QUALIFIERS})(?![A-Za-z0-9_])`, "iy");

/** First characters of qualifiers in lower case; digits with the case bit set. */
export const NAME_QUALIFIER_HEADS: ReadonlySet<number> = new Set(
  [..."bpdslmocvnrt0123456789"].map((head) => head.charCodeAt(0) | 32),
);

const MAX_NAME_CHARS = 64;
/** In prose a name is more than one word: "API key", "Secret Access Key". */
const WORDS = /(?:[A-Za-z]{2,12} ){1,2}[A-Za-z]{3,13}$/;
const QUALIFIED = new RegExp(`_?(?:${QUALIFIERS})$`);

const PASSWORD =
  /(?:password|passwd|passwort|kennwort|wachtwoord|senha|parola|mot_?de_?passe|passphrase|passcode|pwd|(?:^|_)(?:db|user|root|admin|smtp|mail|pg|ftp|ssh|login|my|store|key|sudo|require|bind|redis)?_?pass|(?:^|_)(?:bind|root)?pw|(?:^|_)psk)$/;
const SECRET = /(?:secrets?|(?:^|_)(?:credentials?|creds))$/;
const KEY =
  /(?:^|_)(?:api|access|secret|private|signing|sign|encryption|encrypt|decryption|master|auth|account|app|application|service|role|shared|consumer|client|licen[sc]e|deploy|subscription|jwt|session|admin|webhook|hmac|aes|storage|server|ingest|ingestion|write|integration|function|functions|preshared|restricted|sdk|activation|instrumentation|vapid)_?key$/;
const TOKEN =
  /(?:auth|access|refresh|api|bearer|bot|deploy|admin|service|personal|pat|oauth|session|security|id|user|app|webhook|registry|publish|upload|jwt|csrf|xsrf|identity)_?token$/;
const PLAIN_TOKEN = /(?:^|_)(?:token|tok|auth|bearer|jwt)$|token$/;
const NOT_SECRET =
  /(?:^|_)(?:next|page|paging|pagination|continuation|continue|cancel|cancellation|abort|sync|prev|previous|start|end|stop|eos|bos|eot|pad|unk|mask|sep|cls|max|min|num|count|total|last|first|design|css|color|theme|syntax|lexer|parser|current|peek|public|publishable|resume|cursor|change|concurrency|idempotency|request|client_request|cache|trace|lock|lease|image|by|pass)_?(?:token|key|auth)$|(?:^|_)(?:by|com|tres|sur)_?pass$/;

/** Vendors that treat client ids like secrets; elsewhere a client id is public. */
const ID_VENDORS =
  /(?:^|_)(?:adobe|asana|bitbucket|discord|linkedin|looker|messagebird|plaid|sendbird|sumo|sumologic|newrelic)_/;
const VENDORS = new Set(VENDOR_NAMES);

/** Decisions by name: the same few names occur repeatedly. */
const decided = new Map<string, SecretName | undefined>();
const MAX_DECIDED = 5000;

/** Where the name that ends at `end` starts. */
export function nameStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < MAX_NAME_CHARS && isNameCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}

/** The name that ends at `end`, if it announces a secret. */
export function secretNameBefore(text: string, end: number): SecretName | undefined {
  const start = nameStart(text, end);
  const found = secretName(text.slice(start, end));
  if ((found !== undefined && found.kind !== "token") || text.charAt(start - 1) !== " ") return found;
  // "token" alone says little; "the Dropbox token" is certain.
  const words = WORDS.exec(text.slice(Math.max(0, end - MAX_NAME_CHARS), end));
  return words === null ? found : (secretName(words[0]) ?? found);
}

export function secretName(name: string): SecretName | undefined {
  const known = decided.get(name);
  if (known !== undefined || decided.has(name)) return known;
  if (decided.size >= MAX_DECIDED) decided.clear();
  const decision = decide(name);
  decided.set(name, decision);
  return decision;
}

function decide(name: string): SecretName | undefined {
  // Output of test runners.
  if (name === "PASS" || name === "Pass") return undefined;
  // The shell's working directory, but a password in an ODBC string.
  if (/(?:^|\.)PWD$/.test(name)) return { id: "password", kind: "connection" };
  if (name.endsWith("CONTRIBSYS__COM")) return { id: "sidekiq-key", kind: "pair" };
  const plain = normalise(name).replace(SPLIT_VENDORS, (vendor) => vendor.replaceAll("_", ""));
  const vendor = vendorOf(plain);
  if (/(?:^|_)(?:proxy_)?authorization$/.test(plain)) return { id: "authorization", kind: "authorization" };
  if (/(?:^|_)cookies?$/.test(plain)) return { id: "cookie", kind: "cookie" };
  if (/(?:^|_)(?:sig|signature)$/.test(plain)) return { id: "url-signature", kind: "signature" };
  if (NOT_SECRET.test(plain)) return undefined;
  if (/(?:^|_)(?:mnemonic|(?:seed|recovery|backup|wallet)_?phrase)$/.test(plain))
    return { id: "recovery-phrase", kind: "phrase" };
  if (/_(?:client|access)_?id$/.test(plain))
    return ID_VENDORS.test(plain) ? { id: vendor ?? "identifier", kind: "identifier" } : undefined;
  if (/(?:^|_)(?:login|phrase)$/.test(plain))
    return vendor === undefined || plain.endsWith("phrase") ? undefined : { id: vendor, kind: "secret" };
  if (PASSWORD.test(plain)) return { id: "password", kind: "password" };
  if (/secret_access_key$/.test(plain)) return { id: "aws-secret-key", kind: "secret" };
  if (/(?:account|shared_access)_?key$/.test(plain)) return { id: "azure-account-key", kind: "secret" };
  if (SECRET.test(plain)) return { id: vendor ?? "secret", kind: "secret" };
  if (KEY.test(plain) || (vendor !== undefined && /_key$/.test(plain)))
    return { id: vendor ?? "api-key", kind: "secret" };
  if (TOKEN.test(plain)) return { id: vendor ?? "token", kind: "secret" };
  if (/_pat$/.test(plain)) return { id: vendor ?? "token", kind: "token" };
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

/** Letters, digits, `_`, `-`, `.`, `$`. */
function isNameCharacter(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 36;
}
