/** The theme: that of the system, or a chosen one, which the browser keeps. */
import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const KEY = "dex-theme";
const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

const stored = localStorage.getItem(KEY);
export const theme = signal<Theme>(stored === "light" || stored === "dark" ? stored : "system");

export function nextTheme(): void {
  const next = NEXT[theme.value];
  theme.value = next;
  if (next === "system") {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, next);
    document.documentElement.dataset.theme = next;
  }
}
