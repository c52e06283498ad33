/** Runs before the first paint: a chosen theme must not flash the other one. */
const theme = localStorage.getItem("dex-theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
