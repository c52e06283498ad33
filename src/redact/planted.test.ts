/** Every kind of secret goes, wherever it stands. The secrets are made here from parts, so that this file holds none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALNUM, BASE32, BASE36, BASE64, DIGITS, HEX, UPPER, URL64 } from "../../test/support/alphabets.ts";
import { type RandomLetters, seededLetters } from "../../test/support/random.ts";
import { redactText } from "./redact.ts";

const SYMBOLS = `${ALNUM}!@#%^*_+=?~`;

type Kind = [name: string, make: (r: RandomLetters) => string];

/** Secrets with a shape of their own: they go even when they stand alone. */
const TOKENS: Kind[] = [
  ["AWS access key id", (r) => `AKIA${r(BASE32, 16)}`],
  ["AWS temporary key id", (r) => `ASIA${r(BASE32, 16)}`],
  ["AWS Bedrock", (r) => `ABSK${r(BASE64, 128)}`],
  ["GitHub classic", (r) => `ghp_${r(ALNUM, 36)}`],
  ["GitHub OAuth", (r) => `gho_${r(ALNUM, 36)}`],
  ["GitHub user to server", (r) => `ghu_${r(ALNUM, 36)}`],
  ["GitHub server to server", (r) => `ghs_${r(ALNUM, 36)}`],
  ["GitHub refresh", (r) => `ghr_${r(ALNUM, 76)}`],
  ["GitHub fine-grained", (r) => `github_pat_${r(ALNUM, 22)}_${r(ALNUM, 59)}`],
  ["GitLab personal", (r) => `glpat-${r(URL64, 20)}`],
  ["GitLab routable", (r) => `glpat-${r(URL64, 27)}.01.${r(BASE36, 9)}`],
  ["GitLab deploy", (r) => `gldt-${r(URL64, 20)}`],
  ["GitLab runner", (r) => `glrt-${r(URL64, 20)}`],
  ["GitLab trigger", (r) => `glptt-${r(HEX, 40)}`],
  ["OpenAI", (r) => `sk-${r(ALNUM, 20)}T3BlbkFJ${r(ALNUM, 20)}`],
  ["OpenAI project", (r) => `sk-proj-${r(URL64, 74)}T3BlbkFJ${r(URL64, 74)}`],
  ["OpenAI service account", (r) => `sk-svcacct-${r(URL64, 74)}`],
  ["DeepSeek", (r) => `sk-${r(HEX, 32)}`],
  ["Anthropic", (r) => `sk-ant-api03-${r(URL64, 93)}AA`],
  ["Anthropic OAuth", (r) => `sk-ant-oat01-${r(URL64, 80)}`],
  ["OpenRouter", (r) => `sk-or-v1-${r(HEX, 64)}`],
  ["Google API", (r) => `AIza${r(URL64, 35)}`],
  ["Google OAuth", (r) => `ya29.${r(URL64, 120)}`],
  ["Google client secret", (r) => `GOCSPX-${r(URL64, 28)}`],
  ["Slack bot", (r) => `xoxb-${r(DIGITS, 12)}-${r(DIGITS, 13)}-${r(ALNUM, 24)}`],
  ["Slack user", (r) => `xoxp-${r(DIGITS, 12)}-${r(DIGITS, 12)}-${r(DIGITS, 12)}-${r(HEX, 32)}`],
  ["Slack app", (r) => `xapp-1-A${r(UPPER + DIGITS, 10)}-${r(DIGITS, 13)}-${r(HEX, 64)}`],
  ["Slack webhook", (r) => `https://hooks.slack.com/services/T${r(BASE32, 8)}/B${r(BASE32, 8)}/${r(ALNUM, 24)}`],
  ["Stripe live", (r) => `sk_live_${r(ALNUM, 24)}`],
  ["Stripe test", (r) => `sk_test_${r(ALNUM, 24)}`],
  ["Stripe restricted", (r) => `rk_live_${r(ALNUM, 99)}`],
  ["Stripe webhook", (r) => `whsec_${r(ALNUM, 32)}`],
  ["Twilio key", (r) => `SK${r(HEX, 32)}`],
  ["Twilio account", (r) => `AC${r(HEX, 32)}`],
  ["SendGrid", (r) => `SG.${r(URL64, 22)}.${r(URL64, 43)}`],
  ["Mailgun", (r) => `key-${r(HEX, 32)}`],
  ["Mailchimp", (r) => `${r(HEX, 32)}-us${r("123456789", 2)}`],
  ["Brevo", (r) => `xkeysib-${r(HEX, 64)}-${r(ALNUM, 16)}`],
  ["npm", (r) => `npm_${r(ALNUM, 36)}`],
  ["PyPI", (r) => `pypi-AgEIcHlwaS5vcmc${r(URL64, 120)}`],
  ["RubyGems", (r) => `rubygems_${r(HEX, 48)}`],
  ["crates.io", (r) => `cio${r(ALNUM, 32)}`],
  ["NuGet", (r) => `oy2${r(BASE36, 43)}`],
  ["Docker Hub", (r) => `dckr_pat_${r(URL64, 27)}`],
  ["Hugging Face", (r) => `hf_${r(ALNUM, 34)}`],
  ["Replicate", (r) => `r8_${r(ALNUM, 37)}`],
  ["Groq", (r) => `gsk_${r(ALNUM, 52)}`],
  ["xAI", (r) => `xai-${r(ALNUM, 80)}`],
  ["Perplexity", (r) => `pplx-${r(ALNUM, 48)}`],
  ["NVIDIA", (r) => `nvapi-${r(URL64, 64)}`],
  ["Tavily", (r) => `tvly-${r(ALNUM, 32)}`],
  ["LangSmith", (r) => `lsv2_pt_${r(HEX, 32)}_${r(HEX, 10)}`],
  ["Databricks", (r) => `dapi${r(HEX, 32)}`],
  ["DigitalOcean", (r) => `dop_v1_${r(HEX, 64)}`],
  ["Heroku", (r) => `HRKU-${r(URL64, 60)}`],
  ["Netlify", (r) => `nfp_${r(ALNUM, 36)}`],
  ["Vercel", (r) => `vcp_${r(ALNUM, 56)}`],
  ["Supabase", (r) => `sbp_${r(HEX, 40)}`],
  ["Supabase secret", (r) => `sb_secret_${r(URL64, 31)}`],
  ["PlanetScale", (r) => `pscale_tkn_${r(URL64, 43)}`],
  ["PlanetScale password", (r) => `pscale_pw_${r(URL64, 43)}`],
  ["Neon", (r) => `napi_${r(BASE36, 64)}`],
  ["Fly", (r) => `fo1_${r(URL64, 43)}`],
  ["Fly macaroon", (r) => `FlyV1 fm2_${r(BASE64, 400)}`],
  ["Linear", (r) => `lin_api_${r(ALNUM, 40)}`],
  ["Notion", (r) => `ntn_${r(DIGITS, 11)}${r(ALNUM, 35)}`],
  ["Notion, old", (r) => `secret_${r(ALNUM, 43)}`],
  ["Airtable", (r) => `pat${r(ALNUM, 14)}.${r(HEX, 64)}`],
  ["Atlassian", (r) => `ATATT3xFfGF0${r(URL64, 172)}=${r(`${DIGITS}ABCDEF`, 8)}`],
  ["Figma", (r) => `figd_${r(URL64, 40)}`],
  ["Discord bot", (r) => `MTE${r(ALNUM, 23)}.G${r(URL64, 5)}.${r(URL64, 38)}`],
  ["Discord webhook", (r) => `https://discord.com/api/webhooks/${r("123456789", 19)}/${r(URL64, 68)}`],
  ["Telegram bot", (r) => `${r("123456789", 10)}:AA${r(URL64, 33)}`],
  ["Shopify", (r) => `shpat_${r(HEX, 32)}`],
  ["Square", (r) => `sq0atp-${r(URL64, 22)}`],
  ["Square, new", (r) => `EAAA${r(URL64, 60)}`],
  ["Braintree", (r) => `access_token$production$${r(BASE36, 16)}$${r(HEX, 32)}`],
  ["New Relic", (r) => `NRAK-${r(UPPER + DIGITS, 27)}`],
  ["New Relic licence", (r) => `${r(HEX, 36)}NRAL`],
  ["Sentry organisation", (r) => `sntrys_eyJ${r(BASE64, 100)}_${r(URL64, 43)}`],
  ["Sentry user", (r) => `sntryu_${r(HEX, 64)}`],
  ["Sentry DSN", (r) => `https://${r(HEX, 32)}@o${r("123456789", 6)}.ingest.sentry.io/${r("123456789", 7)}`],
  ["Grafana service account", (r) => `glsa_${r(ALNUM, 32)}_${r(HEX, 8)}`],
  ["Grafana cloud", (r) => `glc_${r(BASE64, 80)}`],
  ["Postman", (r) => `PMAK-${r(HEX, 24)}-${r(HEX, 34)}`],
  ["Doppler", (r) => `dp.pt.${r(ALNUM, 43)}`],
  ["Vault", (r) => `hvs.${r(URL64, 95)}`],
  ["Pulumi", (r) => `pul-${r(HEX, 40)}`],
  ["Terraform", (r) => `${r(ALNUM, 14)}.atlasv1.${r(URL64, 67)}`],
  ["Azure client secret", (r) => `${r(ALNUM, 3)}8Q~${r(URL64, 34)}`],
  ["age", (r) => `AGE-SECRET-KEY-1${r(UPPER + DIGITS, 58)}`],
  ["JWT", (r) => `eyJhbGciOiJIUzI1NiJ9.eyJ${r(URL64, 80)}.${r(URL64, 43)}`],
  ["1Password", (r) => `A3-${r(UPPER, 6)}-${r(BASE32, 11)}-${r(BASE32, 5)}-${r(BASE32, 5)}-${r(BASE32, 5)}`],
  ["Tailscale", (r) => `tskey-auth-k${r(ALNUM, 16)}CNTRL-${r(ALNUM, 32)}`],
  ["Pinecone", (r) => `pcsk_${r(ALNUM, 6)}_${r(ALNUM, 63)}`],
  ["Dynatrace", (r) => `dt0c01.${r(BASE32, 24)}.${r(BASE32, 64)}`],
  ["CircleCI", (r) => `CCIPAT_${r(ALNUM, 22)}_${r(HEX, 40)}`],
  ["Plaid", (r) => `access-production-${r(HEX, 8)}-${r(HEX, 4)}-${r(HEX, 4)}-${r(HEX, 4)}-${r(HEX, 12)}`],
  ["private key in base64", (r) => `LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ${r(BASE64, 400)}`],
];

/** Secrets without a shape, known by the name they stand under. */
const NAMED: Kind[] = [
  ["AWS_SECRET_ACCESS_KEY", (r) => r(BASE64, 40)],
  ["HEROKU_API_KEY", (r) => `${r(HEX, 8)}-${r(HEX, 4)}-4${r(HEX, 3)}-${r(HEX, 4)}-${r(HEX, 12)}`],
  ["CLOUDFLARE_API_TOKEN", (r) => r(URL64, 40)],
  ["VERCEL_TOKEN", (r) => r(ALNUM, 24)],
  ["NETLIFY_AUTH_TOKEN", (r) => r(URL64, 43)],
  ["DD_API_KEY", (r) => r(HEX, 32)],
  ["DATADOG_APP_KEY", (r) => r(HEX, 40)],
  ["PAGERDUTY_API_KEY", (r) => r(ALNUM, 20)],
  ["ASANA_ACCESS_TOKEN", (r) => `1/${r(DIGITS, 16)}:${r(HEX, 32)}`],
  ["TWILIO_AUTH_TOKEN", (r) => r(HEX, 32)],
  ["PAYPAL_CLIENT_SECRET", (r) => r(URL64, 80)],
  ["MAILGUN_API_KEY", (r) => `${r(HEX, 32)}-${r(HEX, 8)}-${r(HEX, 8)}`],
  ["ALGOLIA_ADMIN_KEY", (r) => r(HEX, 32)],
  ["SECRET_KEY_BASE", (r) => r(HEX, 128)],
  ["JWT_SECRET", (r) => r(BASE64, 44)],
  ["SESSION_SECRET", (r) => r(ALNUM, 32)],
  ["DB_PASSWORD", (r) => r(SYMBOLS, 20)],
  ["NPM_AUTH_TOKEN", (r) => r(URL64, 36)],
  ["client_secret", (r) => r(URL64, 32)],
  ["apiKey", (r) => r(ALNUM, 32)],
  ["x-api-key", (r) => r(ALNUM, 40)],
  ["encryption_key", (r) => r(HEX, 64)],
  ["refresh_token", (r) => r(URL64, 64)],
];

const CONTEXTS: ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `The key is ${secret}. Please keep it.`,
  (secret) => JSON.stringify({ id: 7, note: secret, more: [secret] }),
  (secret) => JSON.stringify(JSON.stringify({ note: `first\n${secret}\nlast` })),
  (secret) => `curl -H "X-Thing: ${secret}" https://api.example.com/v1 | jq .`,
  (secret) => `2026-01-02T03:04:05Z INFO request id=42 credential=${secret} took 12ms`,
  (secret) => `https://api.example.com/v1/items?page=2&t=${secret}&limit=10`,
  (secret) => `const client = new Client({ auth: '${secret}' });`,
  (secret) => `| name | \`${secret}\` |\n|---|---|\n`,
  (secret) => `\u001b[32m${secret}\u001b[0m done`,
  (secret) => `a long line before it ${"word ".repeat(40)}\nX=${secret}`,
];

const ASSIGNMENTS: ((name: string, secret: string) => string)[] = [
  (name, secret) => `${name}=${secret}`,
  (name, secret) => `export ${name}="${secret}"\necho done`,
  (name, secret) => `export ${name}='${secret}'`,
  (name, secret) => `# settings\n${name}=${secret}\nOTHER=1\n`,
  (name, secret) => JSON.stringify({ env: { [name]: secret, other: true } }),
  (name, secret) => JSON.stringify({ [name]: secret }, null, 2),
  (name, secret) => JSON.stringify(JSON.stringify({ [name]: secret })),
  (name, secret) => `${name}: ${secret}\nport: 80\n`,
  (name, secret) => `const ${name.replaceAll("-", "_")} = "${secret}";`,
  (name, secret) => `const ${name.replaceAll("-", "_")}: string = '${secret}';`,
  (name, secret) => `process.env["${name}"] = "${secret}"`,
  (name, secret) => `'${name}' => '${secret}',`,
  (name, secret) => `tool --${name.toLowerCase().replaceAll("_", "-")} ${secret} --verbose`,
  (name, secret) => `tool --${name.toLowerCase().replaceAll("_", "-")}="${secret}"`,
  (name, secret) => `<${name}>${secret}</${name}>`,
  (name, secret) => `GET /v1?${name}=${secret.replaceAll("+", "%2B")}&page=2 HTTP/1.1`,
];

const SEEDS = [1, 2, 3, 5, 8, 13];

test("there are at least 60 kinds", () => {
  assert.ok(new Set([...TOKENS, ...NAMED].map(([name]) => name)).size >= 60);
});

for (const [name, make] of TOKENS) {
  test(`${name} goes from every context`, () => {
    for (const seed of SEEDS) {
      const secret = make(seededLetters(seed));
      for (const context of CONTEXTS) assertGone(context(secret), bodyOf(secret));
    }
  });
}

for (const [name, make] of NAMED) {
  test(`${name} goes from every assignment`, () => {
    for (const seed of SEEDS) {
      const secret = make(seededLetters(seed));
      for (const assign of ASSIGNMENTS) assertGone(assign(name, secret), secret);
    }
  });
}

test("the marker names the rule and the rest stays", () => {
  const r = seededLetters(4);
  const token = `ghp_${r(ALNUM, 36)}`;
  assert.deepEqual(redactText(`a ${token} b\ntoken = "${token}"`), {
    text: `a [REDACTED:github-token] b\ntoken = "[REDACTED:github-token]"`,
    count: 2,
  });
});

test("an AWS secret beside its key id goes without a name", () => {
  const r = seededLetters(6);
  const secret = r(BASE64, 40);
  assertGone(`user,key,secret\nbob,AKIA${r(BASE32, 16)},${secret}\n`, secret);
  assertGone(`${secret}\nAKIA${r(BASE32, 16)}`, secret);
});

test("a Twilio token beside its account goes", () => {
  const r = seededLetters(7);
  const secret = r(HEX, 32);
  assertGone(`new Twilio("AC${r(HEX, 32)}", "${secret}")`, secret);
  assertGone(`curl -u AC${r(HEX, 32)}:${secret} https://api.twilio.com`, secret);
});

test("private keys go whole", () => {
  const r = seededLetters(9);
  const lines = Array.from({ length: 24 }, () => r(BASE64, 64));
  const last = `${r(BASE64, 22)}==`;
  const body = [...lines, last];
  for (const label of ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "]) {
    const key = `-----BEGIN ${label}PRIVATE KEY-----\n${body.join("\n")}\n-----END ${label}PRIVATE KEY-----`;
    const forms = [
      key,
      `before\n${key}\nafter`,
      key.replaceAll("\n", "\r\n"),
      JSON.stringify({ type: "service_account", private_key: `${key}\n`, client_email: "a@b.c" }),
      JSON.stringify(JSON.stringify({ private_key: key })),
      `PRIVATE_KEY="${key.replaceAll("\n", "\\n")}"`,
      `KEY="${key.replaceAll("\n", " ")}"`,
      key.replaceAll("\n", "\n    "),
      key
        .split("\n")
        .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
        .join("\n"),
      key
        .split("\n")
        .map((line) => `+${line}`)
        .join("\n"),
      key
        .split("\n")
        .map((line) => `"${line}\\n" +`)
        .join("\n"),
      key.slice(0, key.length - 40),
      key.slice(0, key.length - 400),
      `cat key\n${key.slice(0, key.length - 33)}`,
      `-----BEGIN ${label}PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${r(HEX, 32)}\n\n${body.join("\n")}\n-----END ${label}PRIVATE KEY-----`,
      key.replace(lines.slice(4, 20).join("\n"), "... (16 lines left out) ..."),
    ];
    for (const form of forms) for (const line of body) assertGone(form, line.slice(0, 22));
  }
  assert.equal(
    redactText(`x\n-----BEGIN PRIVATE KEY-----\n${body.join("\n")}\n-----END PRIVATE KEY-----\ny`).text,
    "x\n[REDACTED:private-key]\ny",
  );
});

test("PGP and PuTTY private keys go", () => {
  const r = seededLetters(10);
  const lines = Array.from({ length: 12 }, () => r(BASE64, 64));
  const pgp = `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${lines.join("\n")}\n=${r(ALNUM, 4)}\n-----END PGP PRIVATE KEY BLOCK-----`;
  const putty = `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 12\n${lines.join("\n")}\nPrivate-MAC: ${r(HEX, 64)}\n`;
  for (const line of lines) {
    assertGone(pgp, line);
    assertGone(putty, line);
  }
});

test("passwords in URLs go, user and host stay", () => {
  const r = seededLetters(11);
  for (const password of [r(ALNUM, 16), r(HEX, 9), "hunter2", `p@${r(ALNUM, 12)}`, `a%40b${r(ALNUM, 10)}`]) {
    for (const scheme of ["postgres", "postgresql+asyncpg", "mysql", "redis", "amqp", "mongodb+srv", "https", "ftp"]) {
      const { text, count } = redactText(`DATABASE=${scheme}://app_user:${password}@db.internal:5432/main?ssl=1`);
      assert.equal(text, `DATABASE=${scheme}://app_user:[REDACTED:url-password]@db.internal:5432/main?ssl=1`);
      assert.equal(count, 1);
    }
  }
  assertGone(
    `redis://:${r(ALNUM, 20)}@cache:6379/0`.replace(/^/, ""),
    "",
    "redis://:[REDACTED:url-password]@cache:6379/0",
  );
  const token = r(HEX, 40);
  assertGone(`git clone https://${token}@github.com/a/b.git`, token);
  assertGone(`git clone https://${token}:x-oauth-basic@github.com/a/b.git`, token);
});

test("authorization headers go", () => {
  const r = seededLetters(12);
  for (const seed of SEEDS) {
    const opaque = seededLetters(seed)(URL64, 43);
    const basic = Buffer.from(`deploy:${r(ALNUM, 18)}`).toString("base64");
    assertGone(`Authorization: Bearer ${opaque}`, opaque);
    assertGone(`authorization: bearer ${opaque}\r\nHost: x`, opaque);
    assertGone(`curl -H 'Authorization: Bearer ${opaque}' https://x.y`, opaque);
    assertGone(JSON.stringify({ headers: { Authorization: `Bearer ${opaque}` } }), opaque);
    assertGone(JSON.stringify(JSON.stringify({ Authorization: `Token ${opaque}` })), opaque);
    assertGone(`headers = {"Authorization": "${opaque}"}`, opaque);
    assertGone(`Authorization: Basic ${basic}`, basic);
    assertGone(`Proxy-Authorization: Basic ${basic}`, basic);
    assertGone(`curl -u deploy:${opaque} https://x.y`, opaque);
  }
});

test("session cookies go, the others stay", () => {
  const id = seededLetters(14)(ALNUM, 32);
  const { text } = redactText(`Cookie: theme=dark; sessionid=${id}; lang=en`);
  assert.equal(text, "Cookie: theme=dark; sessionid=[REDACTED:session-cookie]; lang=en");
  assertGone(`Set-Cookie: connect.sid=s%3A${id}.${id}; Path=/; HttpOnly`, id);
  assertGone(`-H 'cookie: auth_token=${id}'`, id);
});

test(".netrc and connection strings go, even with short passwords", () => {
  assert.equal(
    redactText("machine api.github.com\n  login bob\n  password Wq7!kd\n").text,
    "machine api.github.com\n  login bob\n  password [REDACTED:netrc-password]\n",
  );
  assert.equal(
    redactText("machine x.y login bob password Wq7!kd").text,
    "machine x.y login bob password [REDACTED:netrc-password]",
  );
  assert.equal(
    redactText("Server=db;Database=app;User Id=sa;Password=Wq7!kd;Encrypt=true").text,
    "Server=db;Database=app;User Id=sa;Password=[REDACTED:password];Encrypt=true",
  );
  assert.equal(
    redactText("host=db user=app password=Wq7kd4 dbname=x").text,
    "host=db user=app password=[REDACTED:password] dbname=x",
  );
  const key = `${seededLetters(15)(BASE64, 86)}==`;
  assertGone(`DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${key};EndpointSuffix=core.windows.net`, key);
  assertGone(`Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=${key}`, key);
  const signature = encodeURIComponent(`${seededLetters(16)(BASE64, 43)}=`);
  assertGone(`https://a.blob.core.windows.net/c/b?sv=2024-01-01&se=2026-01-01&sr=b&sp=r&sig=${signature}`, signature);
  const amazon = seededLetters(17)(HEX, 64);
  assertGone(`https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=${amazon}`, amazon);
});

test("a password told in a sentence goes", () => {
  const password = seededLetters(18)(SYMBOLS, 16);
  assertGone(`the admin password is ${password}, use it`, password);
  assertGone(`my API key: ${seededLetters(19)(ALNUM, 32)}`, seededLetters(19)(ALNUM, 32));
});

/** The part that must go: a web address keeps its host, a JWT or a key its public label. */
function bodyOf(secret: string): string {
  return secret.replace(
    /^https:\/\/(?:hooks\.slack\.com\/services\/|discord\.com\/api\/webhooks\/\d+\/)?|@o\d+\..*$|^FlyV1 /g,
    "",
  );
}

function assertGone(text: string, secret: string, expected?: string): void {
  const redacted = redactText(text);
  if (expected !== undefined) assert.equal(redacted.text, expected);
  assert.ok(redacted.count > 0, `nothing found in: ${text.slice(0, 300)}`);
  for (let at = 0; at + 12 <= secret.length; at++) {
    const window = secret.slice(at, at + 12);
    assert.ok(!redacted.text.includes(window), `${window} is left of ${secret}: ${redacted.text.slice(0, 300)}`);
  }
  assert.deepEqual(redactText(redacted.text), { text: redacted.text, count: 0 }, "redacting again changes it");
}
