// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell references are what must stay
/**
 * Secrets by family: tokens of vendors, keys that only their vendor's name announces, passwords as people write them, and
 * the places where they stand. Every secret is random for its seed, so that this file holds none.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALNUM, BASE32, BASE36, BASE64, DIGITS, HEX, LOWER, UPPER, URL64 } from "../../test/support/alphabets.ts";
import { type RandomLetters, seededLetters } from "../../test/support/random.ts";
import { redactJson, redactText } from "./redact.ts";

const CAPS = UPPER + DIGITS;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Tokens with a prefix or a shape of their own. */
const TOKENS: Record<string, (r: RandomLetters) => string> = {
  "AWS, old form": (r) => `A3T${r(UPPER, 1)}${r(BASE32, 16)}`,
  "AWS Bedrock, short-lived": (r) => `bedrock-api-key-${r(BASE64, 120)}`,
  "Artifactory reference": (r) => `cmVmdGtu${r(ALNUM, 56)}`,
  "Artifactory key": (r) => `AKCp${r(ALNUM, 69)}`,
  Authress: (r) => `sc_${r(BASE36, 12)}.${r(BASE36, 4)}.acc_${r(BASE36, 16)}.${r(ALNUM, 60)}`,
  Adobe: (r) => `p8e-${r(BASE36, 32)}`,
  Aiven: (r) => `AVNS_${r(URL64, 24)}`,
  Axiom: (r) => `xaat-${uuid(r)}`,
  "Azure storage": (r) => `${r(ALNUM, 76)}+ASt${r(ALNUM, 6)}==`,
  "Azure DevOps": (r) => `${r(ALNUM, 76)}AZDO${r(ALNUM, 4)}`,
  Cerebras: (r) => `csk-${r(BASE36, 48)}`,
  ClickHouse: (r) => `4b1d${r(ALNUM, 38)}`,
  ClickUp: (r) => `pk_${r("123456789", 8)}_${r(CAPS, 32)}`,
  Clojars: (r) => `CLOJARS_${r(BASE36, 60)}`,
  "Defined Networking": (r) => `dnkey-${r(CAPS, 26)}-${r(CAPS, 52)}`,
  Dynatrace: (r) => `dt0c01.${r(CAPS, 24)}.${r(CAPS, 64)}`,
  Flutterwave: (r) => `FLWSECK_TEST-${r("abcdefgh0123456789", 32)}-X`,
  "Frame.io": (r) => `fio-u-${r(`${URL64}=`, 64)}`,
  GoCardless: (r) => `live_${r(URL64, 40)}`,
  Harness: (r) => `pat.${r(URL64, 22)}.${r(ALNUM, 24)}.${r(ALNUM, 20)}`,
  "Hugging Face, letters": (r) => `hf_${r(UPPER + LOWER, 34)}`,
  Infracost: (r) => `ico-${r(ALNUM, 32)}`,
  Intra42: (r) => `s-s4t2ud-${r(HEX, 64)}`,
  Jina: (r) => `jina_${r(ALNUM, 60)}`,
  LaunchDarkly: (r) => `api-${uuid(r)}`,
  "Lob, live": (r) => `live_${r(HEX, 35)}`,
  "Mailgun, public": (r) => `pubkey-${r(HEX, 32)}`,
  MaxMind: (r) => `${r(ALNUM, 6)}_${r(ALNUM, 29)}_mmk`,
  Netlify: (r) => `nfo_${r(ALNUM, 36)}`,
  "New Relic browser": (r) => `NRJS-${r(HEX, 19)}`,
  Octopus: (r) => `API-${r(CAPS, 26)}`,
  PostHog: (r) => `phx_${r(ALNUM, 43)}`,
  Postman: (r) => `PMAK-${r(HEX, 24)}-${r(HEX, 34)}`,
  Scalingo: (r) => `tk-us-${r(URL64, 48)}`,
  "SendGrid, any points": (r) => `SG.${r(URL64, 20)}.${r(URL64, 45)}`,
  Settlemint: (r) => `sm_pat_${r(ALNUM, 16)}`,
  "Slack, old workspace": (r) => `xoxa-2-${r(ALNUM, 40)}`,
  Sourcegraph: (r) => `sgp_${r(HEX, 16)}_${r(HEX, 40)}`,
  "Sourcegraph, local": (r) => `sgp_local_${r(HEX, 40)}`,
  Square: (r) => `EAAA${r(URL64, 40)}`,
  "Stripe, short": (r) => `sk_live_${r(ALNUM, 12)}`,
  Trello: (r) => `ATTA${r(HEX, 64)}`,
  "Trello with a checksum": (r) => `ATTA${r(HEX, 64)}${r("0123456789ABCDEF", 8)}`,
  "Twilio, capitals": (r) => `SK${r(`${DIGITS}ABCDEF`, 32)}`,
  Voyage: (r) => `pa-${r(URL64, 43)}`,
  Yandex: (r) => `t1.${r(URL64, 60)}.${r(URL64, 86)}`,
  "a model's key": (r) => `sk-acme-${r(URL64, 48)}`,
  "JWT in base64": (r) => Buffer.from(`eyJhbGciOiJIUzI1NiJ9.eyJ${r(URL64, 60)}.${r(URL64, 43)}`).toString("base64"),
  "htpasswd, apr1": (r) => `$apr1$${r(ALNUM, 8)}$${r(ALNUM, 22)}`,
  "htpasswd, bcrypt": (r) => `$2y$10$${r(ALNUM, 53)}`,
  "shadow, sha512": (r) => `$6$${r(ALNUM, 16)}$${r(ALNUM, 86)}`,
  argon2: (r) => `$argon2id$v=19$m=65536,t=3,p=4$${r(ALNUM, 22)}$${r(ALNUM, 43)}`,
  "an unknown vendor": (r) => `${r(LOWER, 5)}_${r(ALNUM, 40)}`,
  "an unknown vendor, two parts": (r) => `${r(LOWER, 4)}_live_${r(ALNUM, 36)}`,
  "an unknown vendor, dash": (r) => `${r(LOWER, 4)}-${r(ALNUM, 48)}`,
  "an unknown vendor, capitals": (r) => `${r(UPPER, 3)}_KEY_${r(ALNUM, 44)}`,
};

const CONTEXTS: ((secret: string) => string)[] = [
  (secret) => `Please use ${secret} for it.`,
  (secret) => JSON.stringify({ id: 7, note: secret }),
  (secret) => JSON.stringify(JSON.stringify({ note: `first\n${secret}\nlast` })),
  (secret) => `SOME_SETTING=${secret}\nOTHER=1`,
  (secret) => `const it = "${secret}";`,
  (secret) => `GET https://api.example.com/v1?t=${secret}&page=2`,
  (secret) => `tool --with ${secret} --verbose`,
  (secret) => `first line\n${secret}\nlast line`,
];

for (const [name, make] of Object.entries(TOKENS)) {
  test(`${name}: the token goes from every context`, () => {
    for (const seed of SEEDS) {
      const secret = make(seededLetters(seed));
      for (const context of CONTEXTS) assertGone(context(secret), secret);
    }
  });
}

/** Keys without a shape: the vendor's name stands in the name they have. */
const VENDOR_KEYS: Record<string, (r: RandomLetters) => string> = {
  adafruit: (r) => r(`${BASE36}_-`, 32),
  airtable: (r) => r(BASE36, 17),
  alibaba: (r) => r(BASE36, 30),
  asana: (r) => r(BASE36, 32),
  beamer: (r) => `b_${r(`${BASE36}=_-`, 44)}`,
  bittrex: (r) => r(BASE36, 32),
  codecov: (r) => r(BASE36, 32),
  confluent: (r) => r(BASE36, 16),
  dropbox: (r) => r(BASE36, 15),
  etsy: (r) => r(BASE36, 24),
  facebook: (r) => `${r("123456789", 16)}|${r(URL64, 27)}`,
  finicity: (r) => r(BASE36, 20),
  gitter: (r) => r(`${BASE36}_-`, 40),
  hubspot: (r) => uuid(r).toUpperCase(),
  jfrog: (r) => r(BASE36, 73),
  kraken: (r) => `${r(ALNUM, 8)}${r(BASE64, 78)}==`,
  kucoin: (r) => uuid(r),
  linked_in: (r) => r(BASE36, 16),
  lob: (r) => `test_${r(HEX, 35)}`,
  looker: (r) => r(BASE36, 24),
  mattermost: (r) => r(BASE36, 26),
  meraki: (r) => r(HEX, 40),
  message_bird: (r) => r(BASE36, 25),
  new_relic: (r) => r(BASE36, 64),
  nytimes: (r) => r(`${BASE36}=_-`, 32),
  okta: (r) => `00${r(`${URL64}=`, 40)}`,
  plaid: (r) => r(BASE36, 30),
  privateai: (r) => r(BASE36, 32),
  rapidapi: (r) => r(`${BASE36}_-`, 50),
  sendbird: (r) => r(HEX, 40),
  sonar: (r) => r(`${BASE36}=_-`, 40),
  squarespace: (r) => uuid(r),
  sumo: (r) => r(BASE36, 64),
  travis: (r) => r(BASE36, 22),
  twitch: (r) => r(BASE36, 30),
  twitter: (r) => r(BASE36, 45),
  zendesk: (r) => r(BASE36, 40),
};

const NAMED: ((name: string, secret: string) => string)[] = [
  (name, secret) => `${name}_api_token = "${secret}"`,
  (name, secret) => `${name.toUpperCase()}_API_KEY=${secret}\nOTHER=1`,
  (name, secret) => `${name}Token: '${secret}'`,
  (name, secret) => JSON.stringify({ [`${name}_secret`]: secret }, null, 4),
  (name, secret) => `var ${name}Token string = "${secret}"`,
  (name, secret) => `${name}Token := \`${secret}\``,
  (name, secret) => `$${name}Token .= "${secret}"`,
  (name, secret) => `$${name}Token ??= "${secret}"`,
  (name, secret) => `${name}_token ?= "${secret}"`,
  (name, secret) => `<${name}Token>\n    ${secret}\n</${name}Token>`,
  (name, secret) => `<add key="${name}Token" value="${secret}" />`,
  (name, secret) => `- name: ${name.toUpperCase()}_TOKEN\n  value: ${secret}\n`,
  (name, secret) => JSON.stringify([{ name: `${name.toUpperCase()}_TOKEN`, value: secret }]),
  (name, secret) => `System.setProperty("${name}.api.key", "${secret}");`,
  (name, secret) => `define('${name.toUpperCase()}_SECRET', '${secret}');`,
  (name, secret) => `my ${name} token is ${secret}.`,
];

for (const [name, make] of Object.entries(VENDOR_KEYS)) {
  test(`${name}: a key without a shape goes by its name`, () => {
    for (const seed of SEEDS) {
      const secret = make(seededLetters(seed));
      for (const assign of NAMED) assertGone(assign(name, secret), secret);
    }
  });
}

/** Passwords as people choose them, made of words, digits and signs; none may be known word for word. */
function chosenPassword(seed: number): string {
  const r = seededLetters(seed * 31);
  const word = () => {
    const pick = r(DIGITS, 1);
    return ["Harbour", "maple", "Winter", "rocket", "Copper", "violin", "Marble", "tango", "Saffron", "glacier"][+pick];
  };
  const forms = [
    `${word()}${r("23456789", 1)}Secret!`,
    `Tr0ub${r("23456789", 1)}dor&${r("3456789", 1)}${r(LOWER, 3)}`,
    `${word()}#${r("23456789", 4)}${word()}`,
    `${r(LOWER, 4)}-${r(UPPER, 4)}-${r("23456789", 4)}!`,
    `${r(`${ALNUM}!@#%^*`, 14)}7aA!`,
  ];
  return forms[seed % forms.length] ?? "";
}

const PASSWORD_FORMS: ((password: string) => string)[] = [
  (password) => `password=${password}`,
  (password) => `I logged in with password=${password} and it worked.`,
  (password) => `passwd: ${password}`,
  (password) => `the password is ${password}.`,
  (password) => `the password for the build server is ${password}, please keep it`,
  (password) => `pwd is "${password}"`,
  (password) => `I set the password to ${password}`,
  (password) => `add \`DB_PASSWORD=${password}\` to .env`,
  (password) => `In .env:\nSMTP_PASS=${password}\nSMTP_HOST=x`,
  (password) => `PGPASSWORD=${password} psql -h db`,
  (password) => `const password = "${password}";`,
  (password) => `define('DB_PASSWORD', '${password}');`,
  (password) => `sshpass -p ${password} ssh root@host`,
  (password) => `sshpass -p '${password}' ssh root@host`,
  (password) => `mysql -u root -p'${password}' app`,
  (password) => `mysqldump --password='${password}' app > x.sql`,
  (password) => `docker login -u ci -p '${password}' registry.local`,
  (password) => `redis-cli -h cache -a '${password}' ping`,
  (password) => `curl -u admin:'${password}' https://x.y`.replace(":'", ":").replace("' h", " h"),
  (password) => `db.internal:5432:app:deploy:${password}`,
  (password) => `*:*:*:deploy:${password}\n`,
  (password) => `machine api.host login me password ${password}`,
  (password) => `//registry.local/:_password="${Buffer.from(password).toString("base64")}"`,
  (password) => `Server=db;Database=a;User Id=sa;Password=${password};`,
  (password) => `jdbc:postgresql://db/app?user=sa&password=${encodeURIComponent(password)}&ssl=true`,
  (password) => `postgres://app:${encodeURIComponent(password)}@db:5432/app`,
  (password) => `redis://:${encodeURIComponent(password)}@cache:6379`,
  (password) => `spring.datasource.password=${password}`,
  (password) => `[client]\nuser = me\npassword = "${password}"`,
  (password) => `<password>${password.replaceAll("&", "+")}</password>`,
  (password) => `{"user":"me","password":${JSON.stringify(password)}}`,
  (password) => `CREATE ROLE app LOGIN PASSWORD '${password}';`,
  (password) => `CREATE USER 'a'@'b' IDENTIFIED BY '${password}';`,
  (password) => `echo 'deploy:${password}' | sudo chpasswd`,
  (password) => `requirepass ${password}`,
  (password) => `echo '${password}' | docker login -u ci --password-stdin registry.local`,
  (password) => `echo -n "${password}" | helm registry login -u ci --password-stdin oci.local`,
  (password) => `printf '%s' '${password}' | gh auth login --hostname git.local --with-token`,
  (password) => `openssl rsa -in k.pem -passin pass:${password}`,
];

for (const [index, form] of PASSWORD_FORMS.entries()) {
  test(`a chosen password goes from: ${form("…")}`, () => {
    for (const seed of [...SEEDS, 9, 10]) {
      const password = chosenPassword(seed + index);
      assertGone(form(password), password.includes("&") ? (password.split("&")[0] ?? "") : password, 6);
    }
  });
}

test("every Authorization scheme loses its credential", () => {
  for (const seed of SEEDS) {
    const r = seededLetters(seed);
    const opaque = r(URL64, 42);
    const hex = r(HEX, 64);
    for (const [header, secret] of [
      [`Authorization: SSWS ${opaque}`, opaque],
      [`Authorization: Token ${opaque}`, opaque],
      [`Authorization: Token token=${opaque}`, opaque],
      [`Authorization: ApiKey ${opaque}`, opaque],
      [`Authorization: GoogleLogin auth=${opaque}`, opaque],
      [`Authorization: Negotiate ${r(BASE64, 80)}`, ""],
      [`Authorization: NTLM ${opaque}`, opaque],
      [`Authorization: Splunk ${uuid(seededLetters(seed))}`, uuid(seededLetters(seed))],
      [`Authorization: Bot ${opaque}`, opaque],
      [`Authorization: Klaviyo-API-Key ${opaque}`, opaque],
      [`Authorization: Digest username="me", realm="x", nonce="${opaque}", response="${hex}"`, hex],
      [`Authorization: AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu/s3, SignedHeaders=host, Signature=${hex}`, hex],
      [`Authorization: OAuth oauth_token="${opaque}", oauth_version="1.0"`, opaque],
      [`Authorization: Hawk id="a", mac="${hex}"`, hex],
      [`curl -H 'Authorization: SSWS ${opaque}' https://x.y`, opaque],
      [JSON.stringify({ Authorization: `SSWS ${opaque}` }), opaque],
    ] as const) {
      assertGone(header, secret);
    }
    assertGone(JSON.stringify(redactJson({ headers: { Authorization: `SSWS ${opaque}` } }).value), opaque, 12, true);
  }
});

test("an Authorization scheme loses its credential even where that looks like a sequence; placeholders stay", () => {
  const sequence = "00abcDEFghijKLMnop1234567890qrstuvwXYZ12";
  const placeholders = [
    "<your-api-token-number-1>",
    "$MY_SERVICE_ACCESS_TOKEN_2",
    "{{my_service_access_token_2}}",
    "your-token-here-0123456789",
    "xxxxxxxxxxxxxxxxxxxxxxxx1",
    "https://x.y/docs/authorization/v2",
    "handled-by-the-gateway-middleware",
  ];
  for (const header of ["Authorization", "Proxy-Authorization", "authorization"]) {
    for (const scheme of ["SSWS", "Bearer", "Token", "ApiKey", "Acme-Key"]) {
      assertGone(`${header}: ${scheme} ${sequence}`, sequence);
      assertGone(`curl -H "${header}: ${scheme} ${sequence}" https://x.y`, sequence);
      assertGone(JSON.stringify({ [header]: `${scheme} ${sequence}` }), sequence);
      assertGone(JSON.stringify(redactJson({ [header]: `${scheme} ${sequence}` }).value), sequence, 12, true);
      for (const placeholder of placeholders)
        assert.equal(redactText(`${header}: ${scheme} ${placeholder}`).count, 0, placeholder);
    }
  }
});

test("web addresses lose tokens in their parameters", () => {
  for (const seed of SEEDS) {
    const token = seededLetters(seed)(URL64, 32);
    for (const name of ["token", "access_token", "api_key", "apikey", "auth", "client_secret", "X-Amz-Security-Token"])
      assertGone(`https://x.y/z?a=1&${name}=${token}&b=2`, token);
    const signature = seededLetters(seed + 50)(HEX, 64);
    assertGone(`https://b.s3.x/k?X-Amz-Expires=60&X-Amz-Signature=${signature}`, signature);
    assertGone(`https://cdn.x/f?Expires=1700000000&Signature=${signature}&Key-Pair-Id=K1`, signature);
    const otp = seededLetters(seed)(`${UPPER}234567`, 32);
    assertGone(`otpauth://totp/Acme:me@x.y?secret=${otp}&issuer=Acme`, otp);
  }
  assert.equal(
    redactText("postgres://app:p#s/w?rd1@db:5432/app").text,
    "postgres://app:[REDACTED:url-password]@db:5432/app",
  );
});

test("the values of a Kubernetes Secret go, in YAML and JSON, before and after its kind", () => {
  for (const seed of SEEDS) {
    const value = Buffer.from(seededLetters(seed)(ALNUM, 24)).toString("base64");
    const plain = seededLetters(seed + 9)(ALNUM, 20);
    const after = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  user: ${value}\n  dsn: ${value}\n`;
    const before = `apiVersion: v1\ndata:\n  anything: ${value}\nkind: Secret\nmetadata:\n  name: db\n`;
    const text = `kind: Secret\nmetadata:\n  name: db\nstringData:\n  config.ini: |\n    host = x\n    pin = ${plain}\n  b: "${plain}"\n`;
    for (const document of [after, before, `a: b\n---\n${after}---\nkind: Pod\n`, after.replaceAll("\n", "\\n")])
      assertGone(document, value);
    assertGone(text, plain);
    const object = { apiVersion: "v1", data: { anything: value }, kind: "Secret", metadata: { name: "db" } };
    assertGone(JSON.stringify(object), value);
    assertGone(JSON.stringify(object, null, 2), value);
    assertGone(JSON.stringify(redactJson(object).value), value, 12, true);
  }
  const pod = "kind: ConfigMap\ndata:\n  color: blue-green-deployment\n";
  assert.ok(Object.is(redactText(pod).text, pod));
  assert.equal(redactText("kind: Secret\ndata:\n  a: {{ .Values.a }}\n").count, 0);
});

test("argument lists lose the same secrets as a command line", () => {
  const password = chosenPassword(4);
  for (const command of [
    ["sshpass", "-p", password, "ssh", "x"],
    ["mysql", "-u", "root", `-p${password}`],
    ["docker", "login", "-u", "ci", "-p", password],
    ["redis-cli", "-a", password],
  ]) {
    assertGone(JSON.stringify(redactJson({ argv: command }).value), password, 8, true);
  }
});

test("JSON web keys lose their private members, recovery phrases go", () => {
  const r = seededLetters(5);
  const d = r(URL64, 43);
  const x = r(URL64, 43);
  const { text } = redactText(JSON.stringify({ kty: "EC", crv: "P-256", x, d }));
  assert.ok(!text.includes(d) && text.includes(x));
  const words = Array.from({ length: 12 }, () => r(LOWER, 5)).join(" ");
  assertGone(`mnemonic: "${words}"`, words);
  assertGone(`SEED_PHRASE='${words}'`, words);
});

function uuid(r: RandomLetters): string {
  return `${r(HEX, 8)}-${r(HEX, 4)}-4${r(HEX, 3)}-a${r(HEX, 3)}-${r(HEX, 12)}`;
}

/** No `width` characters in a row of the secret are left, and redacting again changes nothing. */
function assertGone(text: string, secret: string, width = 12, redacted = false): void {
  const result = redacted ? { text, count: Number(text.includes("[REDACTED:")) } : redactText(text);
  assert.ok(result.count > 0, `nothing found in: ${text.slice(0, 300)}`);
  for (let at = 0; at + width <= secret.length; at++) {
    const window = secret.slice(at, at + width);
    assert.ok(!result.text.includes(window), `${window} of ${secret} is left: ${result.text.slice(0, 300)}`);
  }
  assert.deepEqual(redactText(result.text), { text: result.text, count: 0 }, "redacting again changes it");
}
