/** Passwords in shell commands that take them without a name: `sshpass -p x`, `mysql -px`, `redis-cli -a x`. */
import { isDummyPassword } from "../judges/passwords.ts";
import type { Span } from "./span.ts";

interface CommandRule {
  /** Literals that the text is scanned for. */
  readonly literals: readonly string[];
  /** Options before the password. Searching for them is cheaper than the regular expression. */
  readonly options: readonly string[];
  /** From the literal on, up to the password; bounded, and within one command. */
  readonly lead: string;
}

/** Other arguments of the same command; a backslash may continue the line. */
const ARGUMENTS = "(?:[^\\n;|&]|\\\\\\n){0,300}?";
/** Longer than any lead: 300 continued line ends of two characters, and the words before and after them. */
const MAX_COMMAND_CHARS = 1024;
const VALUE = `(?:\\\\?"([^"\\\\\\n]{3,128})|\\\\?'([^'\\\\\\n]{3,128})|([^\\s"'\`\\\\|;&<>]{3,128}))`;

export const COMMAND_RULES: readonly CommandRule[] = [
  { literals: ["sshpass "], options: ["-p"], lead: `sshpass (?:-v )?-p ?` },
  {
    literals: ["mysql", "mariadb"],
    options: [" -p"],
    lead: `(?:mysql|mariadb)(?:dump|admin|import|check|show|-dump|-admin|pump|sh)?(?= )${ARGUMENTS} -p(?![ \\n])`,
  },
  {
    literals: ["docker login", "podman login", "helm registry login", "nerdctl login", "buildah login", "oras login"],
    options: [" -p"],
    lead: `[a-z]{1,16}(?: registry)? login${ARGUMENTS} -p[ =]`,
  },
  {
    literals: ["oc login", "cf login", "cf auth", "az login", "skopeo login"],
    options: [" -p"],
    lead: `[a-z]{2,8} (?:login|auth)${ARGUMENTS} -p[ =]`,
  },
  { literals: ["redis-cli "], options: [" -a "], lead: `redis-cli${ARGUMENTS} -a ` },
  {
    literals: ["mongosh ", "mongodump ", "mongorestore ", "mongoexport ", "mongoimport "],
    options: [" -p "],
    lead: `mongo[a-z]{1,8}${ARGUMENTS} -p `,
  },
  {
    literals: ["ldapsearch ", "ldapadd ", "ldapmodify ", "ldapwhoami "],
    options: [" -w "],
    lead: `ldap[a-z]{1,8}${ARGUMENTS} -w `,
  },
  { literals: ["sqlcmd ", "osql ", "isql "], options: [" -P"], lead: `[a-z]{3,8}${ARGUMENTS} -P ?` },
  { literals: ["htpasswd "], options: [" -"], lead: `htpasswd -[a-zA-Z]*b[a-zA-Z]* [^\\s]{1,200} (?:[^\\s:]{1,64}) ` },
  {
    literals: ["smbclient ", "rpcclient ", "wmic "],
    options: [" -U", " --user"],
    lead: `[a-z]{4,10}${ARGUMENTS} (?:-U|--user=?) ?["']?[^\\s%"']{1,64}%`,
  },
  { literals: ["plink ", "pscp ", "psftp "], options: [" -pw "], lead: `[a-z]{4,6}${ARGUMENTS} -pw ` },
  { literals: ["xfreerdp ", "wfreerdp "], options: [" /p:"], lead: `[a-z]freerdp${ARGUMENTS} /p:` },
  {
    literals: ["zip -", "7z a ", "7z x ", "7za "],
    options: ["-P ", " -p"],
    lead: `(?:zip${ARGUMENTS}-P |7za?${ARGUMENTS} -p(?! ))`,
  },
  { literals: ["-passin ", "-passout "], options: ["pass:"], lead: `-pass(?:in|out) pass:` },
  {
    literals: ["identified by ", "IDENTIFIED BY "],
    options: ["'", '"'],
    lead: `(?:identified by|IDENTIFIED BY) (?:password |PASSWORD )?(?=\\\\?["'])`,
  },
];
const MATCHERS = new Map(
  COMMAND_RULES.flatMap(({ literals, options, lead }) => {
    const pattern = new RegExp(`(${lead})${VALUE}`, "y");
    return literals.map((literal) => [literal, { options, pattern }] as const);
  }),
);

const COMMAND_NAMES: ReadonlySet<string> = new Set([
  ...[...MATCHERS.keys()].map((literal) => literal.split(" ", 1)[0] ?? ""),
  ..."mysqldump mysqladmin mysqlimport mariadb-dump curl wget".split(" "),
]);

const CURL_USER = / (?:-u|--user|-a|--auth|--proxy-user|-U)[ =]["']?([^\s:"']{0,64}):([^\s"'\\]{1,256})/y;
const CURL = /\b(?:curl|wget|https?|xh)\b/;
const CONFIGURED = /(?:requirepass|masterauth)[ \t]{1,4}["']?([^\s"'\\]{6,128})/y;
const CHPASSWD = /(?:echo|printf)\s{1,4}["']?([\w.-]{1,64}):([^\s"'|]{3,128})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?$/;
/** `echo x |` or `printf '%s' x |`, and the command up to its option. */
const PIPED =
  /(?:echo|printf)(?:\s{1,4}(?:-n|["']?%s(?:\\n)?["']?))?\s{1,4}(?:"([^"\n]{6,512})"|'([^'\n]{6,512})'|([^\s"'|]{6,512}))\s{0,4}\|\s{0,4}[^\n;|&]{0,200}$/;
const MAX_PIPED_CHARS = 800;

/** Whether a word, without its path, is a command that takes a password without naming it. */
export function isCommand(word: string): boolean {
  return COMMAND_NAMES.has(word.slice(word.lastIndexOf("/") + 1));
}

/** The password of the command whose name or option is the `literal` at `at`. */
export function commandSpans(text: string, literal: string, at: number): Span[] {
  const matcher = MATCHERS.get(literal);
  const window = text.slice(at, at + MAX_COMMAND_CHARS);
  if (matcher === undefined || !matcher.options.some((option) => window.includes(option))) return [];
  const { pattern } = matcher;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) return [];
  const value = found[2] ?? found[3] ?? found[4] ?? "";
  if (value.startsWith("-") || isDummyPassword(value, "")) return [];
  const end = at + found[0].length;
  return [{ start: end - value.length, end, id: "password" }];
}

/** `curl -u user:password`, the option starting at `at`. */
export function curlUserSpans(text: string, at: number): Span[] {
  CURL_USER.lastIndex = at;
  const found = CURL_USER.exec(text);
  if (found === null) return [];
  const line = text.slice(Math.max(0, at - 400), at).replace(/\\\r?\n/g, " ");
  if (!CURL.test(line.slice(line.lastIndexOf("\n") + 1))) return [];
  const [whole, user = "", password = ""] = found;
  if (password.startsWith("//") || isDummyPassword(password, user)) return [];
  const end = at + whole.length;
  return [{ start: end - password.length, end, id: "basic-auth" }];
}

/** `requirepass x` of a Redis configuration, the word starting at `at`. */
export function configuredSpans(text: string, at: number): Span[] {
  CONFIGURED.lastIndex = at;
  const found = CONFIGURED.exec(text);
  const value = found?.[1] ?? "";
  if (found === null || isDummyPassword(value, "") || !/[^A-Za-z]/.test(value)) return [];
  const end = at + found[0].length;
  return [{ start: end - value.length, end, id: "password" }];
}

/** `echo user:password | chpasswd`, the last word starting at `at`. */
export function chpasswdSpans(text: string, at: number): Span[] {
  const from = Math.max(0, at - 240);
  const found = CHPASSWD.exec(text.slice(from, at));
  const [whole = "", user = "", password = ""] = found ?? [];
  if (found === null || isDummyPassword(password, user)) return [];
  const start = from + found.index + whole.indexOf(`${user}:`) + user.length + 1;
  return [{ start, end: start + password.length, id: "password" }];
}

/** `echo secret | docker login --password-stdin`, the name of the option starting at `at`. */
export function pipedSpans(text: string, at: number): Span[] {
  const from = Math.max(0, at - MAX_PIPED_CHARS);
  const found = PIPED.exec(text.slice(from, at));
  const value = found?.[1] ?? found?.[2] ?? found?.[3] ?? "";
  if (found === null || isDummyPassword(value, "")) return [];
  const start = from + found.index + found[0].indexOf(value, found[0].search(/\s/));
  return [{ start, end: start + value.length, id: "password" }];
}
