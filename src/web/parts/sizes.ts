/** Sizes and shares as the views write them. */

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const [size, unit] = value < 1e6 ? [value / 1e3, "kB"] : value < 1e9 ? [value / 1e6, "MB"] : [value / 1e9, "GB"];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
