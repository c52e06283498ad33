/** Set by the build from package.json; run from source it is a development version. */
declare const DEX_VERSION: string | undefined;

/** The version of dex. */
export const VERSION: string = typeof DEX_VERSION === "string" ? DEX_VERSION : "0.0.0-dev";
