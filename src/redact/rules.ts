/**
 * What a secret looks like: one declarative table a family. Nothing here runs; `tokens.ts`, `names.ts` and `links.ts`
 * turn the tables into matchers. Formats are the vendors' published ones; bodies are bounded so that no pattern can
 * be made to wander.
 */

const A = "[A-Za-z0-9]";
const W = "[A-Za-z0-9_-]";
const H = "[0-9a-f]";
const B64 = "[A-Za-z0-9+/]";
const HEX = "0123456789abcdef";
const UUID = `${H}{8}-${H}{4}-${H}{4}-${H}{4}-${H}{12}`;

/** Every way to take one character of each: literals for beginnings that are known by their kind only. */
function combine(...places: string[]): string[] {
  return places.reduce<string[]>(
    (heads, place) => heads.flatMap((head) => [...place].map((next) => head + next)),
    [""],
  );
}

export interface TokenRule {
  readonly id: string;
  /** Literal beginnings. They are what the text is scanned for. */
  readonly anchors: readonly string[];
  /** Regular expression source of what follows the anchor. */
  readonly body: string;
  /** Source of what stands before the anchor and belongs to the secret. */
  readonly lead?: string;
  /** The anchor is too short to stand alone: no letter or digit may stand before it; `apart`: no `_`, `-` or `.` either. */
  readonly bounded?: true | "apart";
  /** The shape alone is proof: a body of words or of a sequence is redacted too. */
  readonly certain?: true;
}

/** Tokens known by a prefix of their own. */
export const TOKEN_RULES: readonly TokenRule[] = [
  // Clouds and hosting
  { id: "aws-access-key-id", anchors: ["AKIA", "ASIA", "ABIA", "ACCA"], body: "[A-Z0-9]{16,32}", bounded: true },
  { id: "aws-bedrock-key", anchors: ["ABSK"], body: `${B64}{60,400}={0,2}`, bounded: true },
  { id: "gcp-api-key", anchors: ["AIza"], body: `${W}{35,60}`, bounded: true },
  { id: "gcp-oauth-token", anchors: ["ya29."], body: `${W}{20,512}`, bounded: true },
  { id: "gcp-client-secret", anchors: ["GOCSPX-"], body: `${W}{28,64}` },
  {
    id: "azure-client-secret",
    anchors: combine("0123456789", "Q", "~"),
    lead: "[A-Za-z0-9_~.-]{3}",
    body: "[A-Za-z0-9_~.-]{31,40}",
  },
  { id: "alibaba-access-key", anchors: ["LTAI"], body: `${A}{17,30}`, bounded: true },
  { id: "digitalocean-token", anchors: ["dop_v1_", "doo_v1_", "dor_v1_"], body: `${H}{64,128}` },
  { id: "heroku-token", anchors: ["HRKU-"], body: `${W}{36,128}` },
  { id: "netlify-token", anchors: ["nfp_", "nfc_", "nfo_", "nfu_"], body: `${A}{36,80}` },
  { id: "vercel-token", anchors: ["vcp_", "vci_", "vca_", "vcr_", "vck_"], body: `${A}{24,128}` },
  { id: "fly-token", anchors: ["fo1_"], body: `${W}{40,200}` },
  { id: "fly-token", anchors: ["fm1a_", "fm1r_", "fm2_"], body: "[A-Za-z0-9+/_-]{60,600}={0,3}" },
  { id: "render-key", anchors: ["rnd_"], body: `${A}{28,64}`, bounded: true },
  { id: "deno-token", anchors: ["ddp_", "ddw_", "ddo_"], body: `${A}{36,80}` },
  { id: "cloudflare-origin-key", anchors: ["v1.0-"], body: `${H}{24}-${H}{146}`, bounded: true },
  { id: "tailscale-key", anchors: ["tskey-"], body: `[a-z]{2,12}-${A}{8,24}-${A}{20,64}` },
  { id: "openshift-token", anchors: ["sha256~"], body: `${W}{43}`, bounded: true },
  { id: "yandex-key", anchors: ["AQVN"], body: `${W}{35,60}`, bounded: true },

  // Code hosting, packages, continuous integration
  { id: "github-token", anchors: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], body: `${A}{36,255}` },
  { id: "github-token", anchors: ["ghs_"], body: `[A-Za-z0-9_.-]{120,600}` },
  { id: "github-pat", anchors: ["github_pat_"], body: "[A-Za-z0-9_]{36,255}" },
  {
    id: "gitlab-token",
    anchors: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glrtr-",
      "glcbt-",
      "glptt-",
      "glft-",
      "glimt-",
      "glagent-",
      "gloas-",
      "glsoat-",
      "glffct-",
      "glwt-",
    ],
    body: `${W}{20,400}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{7,12})?`,
  },
  { id: "gitlab-runner-token", anchors: ["GR1348941"], body: `${W}{20,64}` },
  { id: "bitbucket-token", anchors: ["ATBB"], body: `${A}{32,64}`, bounded: true },
  { id: "atlassian-token", anchors: ["ATATT3", "ATCTT3", "ATSTT3"], body: `[A-Za-z0-9_=-]{100,400}` },
  { id: "npm-token", anchors: ["npm_"], body: `${A}{36,80}`, bounded: true },
  { id: "pypi-token", anchors: ["pypi-AgE"], body: `${W}{50,512}`, bounded: true },
  { id: "rubygems-key", anchors: ["rubygems_"], body: `${H}{48,64}` },
  { id: "crates-token", anchors: ["cio"], body: `${A}{32}(?!${W})`, bounded: true },
  { id: "nuget-key", anchors: ["oy2"], body: "[a-z0-9]{43}(?![A-Za-z0-9])", bounded: true },
  { id: "clojars-token", anchors: ["CLOJARS_"], body: `${H}{60}` },
  { id: "docker-token", anchors: ["dckr_pat_", "dckr_oat_"], body: `${W}{27,64}` },
  { id: "artifactory-key", anchors: ["AKCp"], body: `${A}{69,73}`, bounded: true },
  { id: "circleci-token", anchors: ["CCIPAT_", "CCIPRJ_"], body: `[A-Za-z0-9_]{40,120}` },
  { id: "buildkite-token", anchors: ["bkua_"], body: `${A}{40,64}` },
  { id: "sonarqube-token", anchors: ["sqp_", "squ_", "sqa_"], body: `${A}{40,64}`, bounded: true },
  { id: "terraform-token", anchors: ["atlasv1."], lead: `${A}{14}\\.`, body: `[A-Za-z0-9=_-]{60,128}` },
  { id: "pulumi-token", anchors: ["pul-"], body: `${H}{40,64}`, bounded: true },
  { id: "vault-token", anchors: ["hvs.", "hvb.", "hvr."], body: `${W}{24,400}`, bounded: true },
  { id: "doppler-token", anchors: ["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], body: `${A}{40,64}` },
  { id: "doppler-token", anchors: ["dp.st."], body: `(?:[a-z0-9_-]{2,35}\\.)?${A}{40,64}` },
  { id: "prefect-key", anchors: ["pnu_", "pnb_"], body: `${A}{36,64}`, bounded: true },
  { id: "postman-key", anchors: ["PMAK-"], body: `${H}{24}-${H}{34}` },
  {
    id: "1password-secret-key",
    anchors: ["A3-"],
    body: "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    bounded: true,
  },
  { id: "1password-service-token", anchors: ["ops_eyJ"], body: `${B64}{200,600}={0,3}` },

  // Models
  { id: "anthropic-key", anchors: ["sk-ant-"], body: `${W}{32,200}` },
  { id: "openai-key", anchors: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], body: `${W}{40,300}` },
  { id: "openrouter-key", anchors: ["sk-or-v1-"], body: `${H}{64}` },
  { id: "langfuse-key", anchors: ["sk-lf-"], body: UUID },
  { id: "openai-key", anchors: ["sk-"], body: `${A}{32,128}`, bounded: true },
  { id: "huggingface-token", anchors: ["hf_", "api_org_"], body: `${A}{34,40}`, bounded: true },
  { id: "replicate-token", anchors: ["r8_"], body: `${A}{37,40}`, bounded: true },
  { id: "groq-key", anchors: ["gsk_"], body: `${A}{48,64}`, bounded: true },
  { id: "xai-key", anchors: ["xai-"], body: `${A}{70,100}`, bounded: true },
  { id: "perplexity-key", anchors: ["pplx-"], body: `${A}{40,64}` },
  { id: "nvidia-key", anchors: ["nvapi-"], body: `${W}{60,80}` },
  { id: "fireworks-key", anchors: ["fw_"], body: `${A}{22,28}(?!${W})`, bounded: true },
  { id: "langsmith-key", anchors: ["lsv2_pt_", "lsv2_sk_"], body: `${H}{32}_${H}{10}` },
  { id: "tavily-key", anchors: ["tvly-"], body: `(?:dev-|prod-)?${A}{30,64}` },
  { id: "firecrawl-key", anchors: ["fc-"], body: `${H}{32}(?!${W})`, bounded: true },
  { id: "pinecone-key", anchors: ["pcsk_"], body: `[A-Za-z0-9_]{50,100}` },
  { id: "elevenlabs-key", anchors: ["sk_"], body: `${H}{48}(?!${A})`, bounded: true },
  { id: "brave-key", anchors: ["BSA"], body: `${W}{28}(?!${W})`, bounded: true },
  { id: "weights-and-biases-key", anchors: ["wandb_v1_"], body: `${W}{40,100}` },

  // Data
  { id: "databricks-token", anchors: ["dapi"], body: `${H}{32}(?:-\\d)?(?!${A})`, bounded: true },
  { id: "supabase-token", anchors: ["sbp_"], body: `(?:v0_)?${H}{40}`, bounded: true },
  { id: "supabase-secret-key", anchors: ["sb_secret_"], body: `${W}{24,80}` },
  { id: "planetscale-token", anchors: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], body: `[A-Za-z0-9_.=-]{32,80}` },
  { id: "neon-key", anchors: ["napi_"], body: `[a-z0-9]{40,80}`, bounded: true },
  { id: "neon-password", anchors: ["npg_"], body: `${A}{12,32}`, bounded: true },
  { id: "airtable-token", anchors: ["pat"], body: `${A}{14}\\.${H}{64}`, bounded: true },
  { id: "contentful-token", anchors: ["CFPAT-"], body: `${W}{40,64}` },
  { id: "readme-key", anchors: ["rdme_"], body: `[a-z0-9]{70}` },
  { id: "typeform-token", anchors: ["tfp_"], body: `[A-Za-z0-9_.=-]{50,80}`, bounded: true },

  // Work tools
  { id: "linear-key", anchors: ["lin_api_", "lin_oauth_"], body: `${A}{40,64}` },
  { id: "notion-token", anchors: ["ntn_"], body: `${A}{40,60}`, bounded: true },
  { id: "notion-token", anchors: ["secret_"], body: `${A}{43}(?!${W})`, bounded: true },
  {
    id: "figma-token",
    anchors: ["figd_", "figdr_", "figdh_", "figu_", "figur_", "figuh_", "figo_", "figor_", "figoh_"],
    body: `${W}{38,80}`,
  },
  { id: "hubspot-token", anchors: ["pat-na1-", "pat-na2-", "pat-eu1-"], body: UUID },
  { id: "dropbox-token", anchors: ["sl."], body: `${W}{120,600}`, bounded: true },
  { id: "frameio-token", anchors: ["fio-u-"], body: `${W}{64}` },
  { id: "adobe-secret", anchors: ["p8e-"], body: `[a-z0-9]{32}`, bounded: true },
  { id: "launchdarkly-key", anchors: ["sdk-"], body: `${UUID}(?!${W})`, bounded: true },

  // Chat and mail
  {
    id: "slack-token",
    anchors: ["xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxs-", "xoxr-", "xoxc-", "xoxd-"],
    body: "[A-Za-z0-9%+/=-]{16,400}",
  },
  { id: "slack-token", anchors: ["xoxe.xoxb-", "xoxe.xoxp-", "xoxe-", "xapp-"], body: `${W}{24,400}` },
  {
    id: "discord-bot-token",
    anchors: combine("MNO", "DTjz", "AEIMQUYcgk"),
    body: `${W}{21,25}\\.${W}{6}\\.${W}{27,45}`,
    bounded: true,
  },
  { id: "telegram-bot-token", anchors: [":AA"], lead: "\\d{8,10}", body: `${W}{33}(?!${W})` },
  { id: "sendgrid-key", anchors: ["SG."], body: `${W}{16,32}\\.${W}{30,64}`, bounded: true },
  { id: "mailgun-key", anchors: ["key-"], body: `${H}{32}(?!${A})`, bounded: true },
  { id: "mailchimp-key", anchors: ["-us"], lead: `(?<!${H})${H}{32}`, body: `\\d{1,2}(?!${A})` },
  { id: "brevo-key", anchors: ["xkeysib-", "xsmtpsib-"], body: `${H}{64}-${A}{16}` },
  { id: "resend-key", anchors: ["re_"], body: `${A}{8}_${A}{20,32}(?!${W})`, bounded: true },
  {
    id: "twilio-key",
    anchors: [...combine("S", "K", HEX), ...combine("A", "C", HEX)],
    body: `${H}{31}(?!${A})`,
    bounded: true,
  },

  // Money and shops
  { id: "stripe-key", anchors: ["sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_"], body: `${A}{16,255}` },
  { id: "webhook-secret", anchors: ["whsec_"], body: "[A-Za-z0-9+/]{24,128}={0,2}" },
  { id: "shopify-token", anchors: ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], body: "[0-9a-fA-F]{32,64}" },
  { id: "square-token", anchors: ["sq0atp-", "sq0csp-", "sq0idp-"], body: `${W}{22,64}` },
  { id: "square-token", anchors: ["EAAA"], body: `(?<![+/]EAAA)${W}{60}(?![A-Za-z0-9+/_-])`, bounded: true },
  {
    id: "braintree-token",
    anchors: ["access_token$production$", "access_token$sandbox$"],
    body: `[0-9a-z]{16}\\$${H}{32}`,
  },
  { id: "plaid-token", anchors: ["access-production-", "access-sandbox-", "access-development-"], body: UUID },
  { id: "flutterwave-key", anchors: ["FLWSECK-", "FLWSECK_TEST-"], body: `${A}{12,64}(?:-X)?` },
  { id: "shippo-token", anchors: ["shippo_live_", "shippo_test_"], body: `${H}{40}` },
  { id: "easypost-key", anchors: ["EZAK", "EZTK"], body: `${A}{54}`, bounded: true },
  { id: "duffel-token", anchors: ["duffel_live_", "duffel_test_"], body: `${W}{43}` },
  { id: "facebook-token", anchors: ["EAAC", "EAAM", "EAAG", "EAAB"], body: `${A}{100,400}`, bounded: true },

  // Watching
  { id: "newrelic-key", anchors: ["NRAK-", "NRII-", "NRAA-", "NRIQ-", "NRRA-", "NRSP-"], body: `${W}{27,64}` },
  { id: "newrelic-license", anchors: ["NRAL"], lead: `${H}{36}`, body: `(?!${A})` },
  { id: "sentry-token", anchors: ["sntrys_eyJ"], body: "[A-Za-z0-9+/=_-]{60,400}" },
  { id: "sentry-token", anchors: ["sntryu_", "sntrya_", "sntryi_"], body: `${H}{64}` },
  { id: "grafana-token", anchors: ["glsa_"], body: `${A}{32}_[0-9A-Fa-f]{8}` },
  { id: "grafana-token", anchors: ["glc_"], body: `${B64}{32,400}={0,3}` },
  { id: "grafana-key", anchors: ["eyJrIjoi"], body: `${B64}{60,400}={0,3}`, bounded: true, certain: true },
  { id: "dynatrace-token", anchors: ["dt0c01.", "dt0s01."], body: "[A-Z0-9]{24}\\.[A-Z0-9]{64}" },
  { id: "honeycomb-key", anchors: ["hcaik_", "hcbik_", "hcamk_"], body: `[a-z0-9]{58,64}` },
  { id: "logfire-token", anchors: ["pylf_v1_"], body: `[a-z]{2}_${A}{40,64}` },

  // Keys in themselves
  { id: "age-secret-key", anchors: ["AGE-SECRET-KEY-1"], body: "[A-Z0-9]{50,64}" },
  {
    id: "private-key",
    anchors: ["LS0tLS1CRUdJTi"],
    body: `(?=${B64}{0,40}(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF))${B64}{40,16384}={0,2}`,
    certain: true,
  },
  {
    id: "jwt",
    anchors: ["eyJ"],
    body: `${W}{8,16384}\\.eyJ${W}{6,16384}(?:\\.${W}{0,16384})?`,
    bounded: "apart",
    certain: true,
  },
  {
    id: "jwe",
    anchors: ["eyJ"],
    body: `${W}{16,16384}\\.${W}{0,1024}\\.${W}{8,64}\\.${W}{8,16384}\\.${W}{16,64}`,
    bounded: "apart",
    certain: true,
  },
];

/** Secrets with no name and no prefix, which stand near a token that gives them away. */
export const COMPANION_RULES: readonly {
  readonly id: string;
  readonly near: string;
  readonly within: number;
  readonly pattern: string;
}[] = [
  {
    id: "aws-secret-key",
    near: "aws-access-key-id",
    within: 300,
    pattern: "(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])",
  },
  { id: "twilio-auth-token", near: "twilio-key", within: 160, pattern: "(?<![A-Za-z0-9])[0-9a-f]{32}(?![A-Za-z0-9])" },
];

/** Secrets inside web addresses; `secret` is matched right after the `prefix`, from the address's `://`. */
export const LINK_RULES: readonly { readonly id: string; readonly prefix: string; readonly secret: string }[] = [
  {
    id: "slack-webhook",
    prefix: "hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/",
    secret: "[A-Za-z0-9+/_-]{20,128}",
  },
  {
    id: "discord-webhook",
    prefix: "(?:[a-z]{1,16}\\.)?discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{5,25}/",
    secret: `${W}{30,128}`,
  },
  { id: "teams-webhook", prefix: "[a-z0-9.-]{1,64}\\.office\\.com/webhook(?:b2)?/", secret: "[A-Za-z0-9@/_-]{60,300}" },
  {
    id: "google-chat-webhook",
    prefix: "chat\\.googleapis\\.com/v1/spaces/[\\w-]{1,64}/messages\\?",
    secret: "[A-Za-z0-9%&=_-]{40,300}",
  },
  { id: "zapier-webhook", prefix: "hooks\\.zapier\\.com/hooks/catch/", secret: "\\d{4,12}/[a-z0-9]{6,32}" },
  { id: "sentry-dsn", prefix: "", secret: `${H}{32}(?::${H}{32})?(?=@[\\w.-]{3,128}/\\d{1,20})` },
];

/**
 * Names under which a vendor's key stands when the key has no shape of its own. The rule's id follows the first one
 * found in the name; the value must still look random.
 */
// biome-ignore format: a word list
export const VENDOR_NAMES: readonly string[] = [
  "aws", "azure", "gcp", "google", "firebase", "heroku", "vercel", "netlify", "cloudflare", "fastly", "linode", "hetzner",
  "scaleway", "ovh", "vultr", "railway", "render", "fly", "ngrok", "tailscale", "upstash", "turso", "planetscale", "neon",
  "supabase", "mongodb", "elastic", "kibana", "algolia", "typesense", "meilisearch",
  "pinecone", "weaviate", "qdrant", "snowflake", "databricks", "datadog", "dd", "newrelic", "pagerduty", "opsgenie",
  "rollbar", "bugsnag", "honeycomb", "loggly", "logdna", "splunk", "sumologic", "sentry", "grafana", "github", "gh",
  "gitlab", "bitbucket", "circleci", "travis", "codecov", "coveralls", "sonar", "snyk", "docker", "npm", "pypi", "nuget",
  "openai", "anthropic", "cohere", "mistral", "together", "deepseek", "gemini", "groq", "replicate", "huggingface",
  "voyage", "jina", "exa", "serpapi", "serper", "deepgram", "assemblyai", "elevenlabs", "stability", "openrouter",
  "slack", "discord", "telegram", "twilio", "vonage", "nexmo", "plivo", "messagebird", "sendgrid", "mailgun", "mailchimp",
  "mandrill", "postmark", "sparkpost", "sendinblue", "resend", "intercom", "zendesk", "freshdesk", "hubspot", "salesforce",
  "marketo", "segment", "mixpanel", "amplitude", "posthog", "launchdarkly", "optimizely", "stripe", "paypal", "braintree",
  "square", "adyen", "klarna", "plaid", "coinbase", "binance", "kraken", "kucoin", "etherscan", "infura", "alchemy",
  "shopify", "bigcommerce", "woocommerce", "asana", "trello", "jira", "confluence", "atlassian", "linear", "notion",
  "airtable", "monday", "clickup", "figma", "dropbox", "box", "okta", "auth0", "clerk", "onelogin", "facebook", "twitter",
  "linkedin", "instagram", "tiktok", "spotify", "twitch", "youtube", "mapbox", "maps", "openweather", "alpha_vantage",
  "finnhub", "polygon", "contentful", "sanity", "cloudinary", "imgur", "bitly", "rapidapi", "pushover", "expo", "apple",
  "jwt", "hmac", "vault", "consul", "nomad", "terraform", "tf", "pulumi", "doppler", "infisical", "pagertree", "statuspage",
];
