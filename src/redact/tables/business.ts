/** Tokens of work tools, chat, mail, payment and shops, known by a prefix of their own. */
import { A, ANY_HEX, B64, combine, H, P, type TokenRule, UUID, W } from "./shapes.ts";

const HEX = "0123456789abcdefABCDEF";

export const BUSINESS_TOKENS: readonly TokenRule[] = [
  // Work tools
  { id: "linear-key", anchors: ["lin_api_", "lin_oauth_", "lin_wh_"], body: `${A}{40,64}` },
  { id: "notion-token", anchors: ["ntn_"], body: `${A}{40,60}`, bounded: true },
  { id: "notion-token", anchors: ["secret_"], body: `${A}{43}(?!${W})`, bounded: true },
  {
    id: "figma-token",
    anchors: ["figd_", "figdr_", "figdh_", "figu_", "figur_", "figuh_", "figo_", "figor_", "figoh_"],
    body: `${W}{38,80}`,
  },
  { id: "hubspot-token", anchors: ["pat-na1-", "pat-na2-", "pat-na3-", "pat-eu1-", "pat-ap1-"], body: UUID },
  { id: "dropbox-token", anchors: ["sl."], body: `${P}{120,600}`, bounded: true },
  { id: "frameio-token", anchors: ["fio-u-"], body: `${P}{64}` },
  { id: "adobe-secret", anchors: ["p8e-"], body: `${A}{32}`, bounded: true },
  { id: "launchdarkly-key", anchors: ["sdk-", "api-", "mob-"], body: `${UUID}(?!${W})`, bounded: true },

  { id: "trello-token", anchors: ["ATTA"], body: `${ANY_HEX}{64,80}`, bounded: true },
  { id: "clickup-token", anchors: ["pk_"], body: `\\d{5,10}_[A-Z0-9]{32}(?!${A})`, bounded: true },
  { id: "zoho-token", anchors: ["1000."], body: `${H}{32}\\.${H}{32}`, bounded: true },
  { id: "cal-key", anchors: ["cal_live_", "cal_test_"], body: `${H}{32}` },
  { id: "statsig-key", anchors: ["secret-"], body: `${A}{40,48}(?!${W})`, bounded: true },

  // Chat and mail
  {
    id: "slack-token",
    anchors: ["xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxs-", "xoxr-", "xoxc-", "xoxd-"],
    body: "[A-Za-z0-9%+/=-]{8,400}",
  },
  { id: "slack-token", anchors: ["xoxe.xoxb-", "xoxe.xoxp-", "xoxe-", "xapp-"], body: `${W}{24,400}` },
  {
    id: "discord-bot-token",
    anchors: combine("MNO", "DTjz", "AEIMQUYcgk"),
    body: `${W}{21,25}\\.${W}{6}\\.${W}{27,45}`,
    bounded: true,
  },
  { id: "telegram-bot-token", anchors: [":AA"], lead: "\\d{5,16}", body: `${W}{33}(?!${W})` },
  { id: "sendgrid-key", anchors: ["SG."], body: `${P}{16,32}\\.${P}{30,64}`, bounded: true },
  { id: "sendgrid-key", anchors: ["SG."], body: `[A-Za-z0-9_=.-]{66}`, bounded: true },
  { id: "mailgun-key", anchors: ["key-", "pubkey-"], body: `${H}{32}(?!${A})`, bounded: true },
  { id: "mailchimp-key", anchors: ["-us"], lead: `(?<!${H})${H}{32}`, body: `\\d{1,2}(?!${A})` },
  { id: "brevo-key", anchors: ["xkeysib-", "xsmtpsib-"], body: `${H}{64}-${A}{16}` },
  {
    id: "slack-webhook",
    anchors: ["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
    body: "[A-Za-z0-9+/_-]{20,128}",
  },
  { id: "intercom-token", anchors: ["dG9rO"], body: `${B64}{40,80}={0,2}`, bounded: true },
  { id: "resend-key", anchors: ["re_"], body: `${A}{8}_${A}{20,32}(?!${W})`, bounded: true },
  {
    id: "twilio-key",
    anchors: [...combine("S", "K", HEX), ...combine("A", "C", HEX)],
    body: `${ANY_HEX}{31}(?!${A})`,
    bounded: true,
  },

  // Money and shops
  {
    id: "stripe-key",
    anchors: ["sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_", "sk_org_live_"],
    body: `${A}{10,255}`,
  },
  { id: "webhook-secret", anchors: ["whsec_"], body: "[A-Za-z0-9+/]{24,128}={0,2}" },
  { id: "shopify-token", anchors: ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], body: "[0-9a-fA-F]{32,64}" },
  { id: "square-token", anchors: ["sq0atp-", "sq0csp-", "sq0idp-"], body: `${W}{22,64}` },
  { id: "square-token", anchors: ["EAAA"], body: `(?<![+/]EAAA)${W}{22,60}(?![A-Za-z0-9+/_-])`, bounded: true },
  {
    id: "braintree-token",
    anchors: ["access_token$production$", "access_token$sandbox$"],
    body: `[0-9a-z]{16}\\$${H}{32}`,
  },
  { id: "plaid-token", anchors: ["access-production-", "access-sandbox-", "access-development-"], body: UUID },
  { id: "flutterwave-key", anchors: ["FLWSECK-", "FLWSECK_TEST-", "FLWPUBK_TEST-"], body: `${A}{12,64}(?:-X)?` },
  { id: "shippo-token", anchors: ["shippo_live_", "shippo_test_"], body: `${ANY_HEX}{40}` },
  { id: "easypost-key", anchors: ["EZAK", "EZTK"], body: `${A}{54}`, bounded: true },
  { id: "duffel-token", anchors: ["duffel_live_", "duffel_test_"], body: `${P}{43}` },
  { id: "facebook-token", anchors: ["EAAC", "EAAM", "EAAG", "EAAB"], body: `${A}{100,400}`, bounded: true },

  // GoCardless, Lob and Mollie.
  { id: "payment-key", anchors: ["live_"], body: `(?:pub_)?(?:${P}{40}|${H}{31,35}|${A}{30})(?!${P})`, bounded: true },
  { id: "paddle-key", anchors: ["pdl_live_apikey_", "pdl_sdbx_apikey_"], body: `[a-z0-9]{26}_${A}{22}_${A}{3}` },
  { id: "razorpay-key", anchors: ["rzp_live_", "rzp_test_"], body: `${A}{14}(?!${A})` },
  { id: "instagram-token", anchors: ["IGQV", "IGAA"], body: `${W}{60,400}`, bounded: true },
];
