/** The style of an exported page: paper and ink, serif for what was said, monospace for what machines printed. */
export const STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#15161a);--ink:light-dark(#1d1c1a,#e9e7e2);
--quiet:light-dark(#5d5a53,#a6a49e);--accent:light-dark(#2f4bc7,#9db0ff);--line:light-dark(#dedbd3,#33353b);
--sunk:light-dark(#f3f1ea,#1c1e23);--bad:light-dark(#a8321f,#ff9a85);
--serif:"Source Serif 4","Source Serif Pro",Charter,"Iowan Old Style",Georgia,serif;
--sans:"Geist",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
--mono:"Geist Mono",ui-monospace,"SF Mono",Menlo,Consolas,monospace}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.5 var(--sans);font-variant-numeric:tabular-nums}
.page{max-width:760px;margin:0 auto;padding:40px 20px 96px}
h1{font:600 26px/1.25 var(--serif);margin:0 0 8px;overflow-wrap:anywhere}
.facts{color:var(--quiet);margin:0 0 32px;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:2px}
a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
nav{border:1px solid var(--line);border-radius:10px;padding:12px 16px;margin:0 0 40px}
nav h2{font:600 14px/1.5 var(--sans);margin:0 0 4px}
nav ol{list-style:none;margin:0;padding:0}
nav a{display:flex;gap:12px;padding:4px 0;color:var(--ink);text-decoration:none}
nav a span:first-child{color:var(--quiet);min-width:40px;text-align:right;flex:none}
nav a span:last-child{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
nav a:hover span:last-child{text-decoration:underline}
article{padding:4px 0 4px 16px;margin:0 0 20px;border-left:2px solid transparent}
article.user{border-left-color:var(--accent)}
article:target{background:var(--sunk)}
h2.who{display:flex;flex-wrap:wrap;gap:4px 12px;font:500 13px/1.5 var(--sans);color:var(--quiet);margin:0 0 4px}
h2.who a{color:inherit;text-decoration:none}
h2.who a:hover{text-decoration:underline}
h2.who b{font-weight:600;color:var(--ink)}
.said{font:16px/1.58 var(--serif);overflow-wrap:anywhere}
.said>:first-child{margin-top:0}.said>:last-child{margin-bottom:0}
.said :is(h3,h4,h5,h6){font:600 17px/1.4 var(--serif);margin:24px 0 8px}
.said blockquote{margin:12px 0;padding-left:16px;border-left:2px solid var(--line);color:var(--quiet)}
.said table{border-collapse:collapse;display:block;overflow-x:auto;font:14px/1.5 var(--sans)}
.said :is(th,td){border:1px solid var(--line);padding:4px 8px;text-align:left;vertical-align:top}
.said hr{border:0;border-top:1px solid var(--line);margin:24px 0}
code,pre{font:13px/1.5 var(--mono)}
.said code{background:var(--sunk);border-radius:6px;padding:1px 4px}
.said pre code{padding:0;background:none}
pre{margin:8px 0;padding:12px;background:var(--sunk);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}
pre.plain{font:inherit;background:none;padding:0}
.language{display:block;color:var(--quiet);font:12px/1.5 var(--sans);margin-bottom:4px}
details{margin:4px 0}
summary{font:13px/1.5 var(--mono);color:var(--quiet);cursor:pointer;overflow-wrap:anywhere}
details[open]>summary{color:var(--ink)}
details.failed{border-left:2px solid var(--bad);padding-left:8px}
details.failed>summary b{color:var(--bad);font-weight:600}
.cut{color:var(--quiet);font-style:italic;margin:4px 0}
footer{border-top:1px solid var(--line);color:var(--quiet);padding-top:12px;margin-top:40px}
@media print{details::details-content{content-visibility:visible;block-size:auto}}
`;
