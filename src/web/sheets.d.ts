/** The build turns an imported style sheet into its address. */
declare module "*.css" {
  const href: string;
  // biome-ignore lint/style/noDefaultExport: esbuild's file loader exports the address so
  export default href;
}

/** The names of all agents by their id, which the build takes from the registry of integrations. */
declare const DEX_AGENT_NAMES: Readonly<Record<string, string>>;
