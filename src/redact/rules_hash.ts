/**
 * Names the rules that this build redacts with: a hash of their code, which the build makes. The archive notes it with
 * what they have redacted, so that nothing is redacted twice by the same rules. Run from source the rules have no name,
 * because they may change at any time.
 */
declare const DEX_REDACTION_RULES: string | undefined;

export const REDACTION_RULES: string | undefined =
  typeof DEX_REDACTION_RULES === "string" ? DEX_REDACTION_RULES : undefined;
