/** What stands between `<private>` and `</private>` is nobody's business: it is taken out before anything else happens. */
const PRIVATE = /<private\b[^>]*>[\s\S]*?(?:<\/private\s*>|$)/gi;

/** A marker that is never closed reaches to the end: rather too much is left out than too little. */
export function withoutPrivate(text: string): string {
  return text.replace(PRIVATE, " ").trim();
}
