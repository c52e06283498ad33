/**
 * Declarative tables of secrets, one per family; tokens are in the other files of this folder. `finders/tokens.ts` and
 * `finders/links.ts` turn the tables into matchers. Formats are the vendors' published ones; the length of bodies is
 * limited, so no pattern can backtrack without bound.
 */
import { BUSINESS_TOKENS } from "./business.ts";
import { CLOUD_TOKENS } from "./clouds.ts";
import { DEVELOPMENT_TOKENS } from "./development.ts";
import { KEY_TOKENS } from "./keys.ts";
import { MODEL_TOKENS } from "./models.ts";
import { H, type TokenRule, W } from "./shapes.ts";

/** Tokens known by a prefix of their own. Where several rules share an anchor, the first that matches counts. */
export const TOKEN_RULES: readonly TokenRule[] = [
  ...CLOUD_TOKENS,
  ...DEVELOPMENT_TOKENS,
  ...MODEL_TOKENS,
  ...BUSINESS_TOKENS,
  ...KEY_TOKENS,
];

/** Secrets without name and prefix, near a token that reveals them. */
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
  {
    id: "otp-secret",
    prefix: "(?:totp|hotp)/[^\\s?\"'<>]{0,256}\\?(?:[a-z]{1,12}=[^\\s&\"'<>]{0,128}&){0,6}secret=",
    secret: "[A-Z2-7a-z]{16,128}",
  },
  {
    id: "bot-token",
    prefix: "api\\.telegram\\.org/(?:file/)?bot",
    secret: "\\d{5,16}:[A-Za-z0-9_-]{30,48}",
  },
  { id: "zapier-webhook", prefix: "hooks\\.zapier\\.com/hooks/catch/", secret: "\\d{4,12}/[a-z0-9]{6,32}" },
  { id: "sentry-dsn", prefix: "", secret: `${H}{32}(?::${H}{32})?(?=@[\\w.-]{3,128}/\\d{1,20})` },
];
