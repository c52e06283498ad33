/** The build turns an imported style sheet into its address. */
declare module "*.css" {
  const href: string;
  // biome-ignore lint/style/noDefaultExport: esbuild's file loader exports the address so
  export default href;
}
