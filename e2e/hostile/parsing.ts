/** Texts that one parser reads differently from the next. */
import { each, RUN } from './family.ts'

const IMG = `<img src=x onerror="${RUN}">`
const QUIET = `<img src=x onerror=${RUN}>`

/** Elements whose content is text to one parser and elements to another. */
const rawText = [
  ...['style', 'title', 'textarea', 'noscript', 'xmp', 'noembed', 'noframes', 'iframe', 'script'],
  ...['plaintext', 'template', 'select'],
]

/** Names that change which namespace the rest is in. */
const worlds: ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `<svg>${inner}</svg>`,
  (inner) => `<math>${inner}</math>`,
  (inner) => `<svg><desc>${inner}</desc></svg>`,
  (inner) => `<math><annotation-xml encoding="text/html">${inner}</annotation-xml></math>`,
  (inner) => `<math><mtext><table><mglyph>${inner}</table></mtext></math>`,
  (inner) => `<form><math><mtext></form><form><mglyph>${inner}</math>`,
  (inner) => `<svg></p>${inner}`,
]

export const parsing = (): string[] => [
  ...each(rawText, worlds, (name, world) =>
    world(`<${name}><a title="</${name}>${QUIET}">x</a></${name}>`),
  ),
  ...[
    `<!-->${IMG}-->`,
    `<!--->${IMG}-->`,
    `<!-- --!>${IMG}-->`,
    `<!--[if gte IE 4]>${IMG}<![endif]-->`,
    `<![CDATA[>${IMG}]]>`,
    `<svg><![CDATA[</svg>${IMG}]]></svg>`,
    `<?xml version="1.0"?>${IMG}`,
    `<!ENTITY x "${QUIET}">&x;`,
    `${'<div>'.repeat(600)}${IMG}`,
    `${'<b><i>'.repeat(300)}${IMG}`,
    `<table>${'<table>'.repeat(60)}${IMG}`,
    `<a title="\u0000">${IMG}`,
    `<img\u0000 src=x onerror="${RUN}">`,
    `<img src=x onerror\u0000="${RUN}">`,
    `<${'x'.repeat(10_000)} onclick="${RUN}">x`,
    `<img ${'a=b '.repeat(2_000)} src=x onerror="${RUN}">`,
    `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
    `\uFF1Cscript\uFF1E${RUN}\uFF1C/script\uFF1E`,
    `<<img src=x onerror="${RUN}">`,
    `<img src=x onerror="${RUN}"`,
    `<img """><script>${RUN}</script>">`,
    `<img src='x\u0060' onerror=\u0060${RUN}\u0060>`,
    `<details><summary>x</summary>${IMG}</details>`,
    `<blockquote>${IMG}</blockquote>`,
    `<p>https://example.com/"onmouseover="${RUN}" x</p>`,
    `<p>www.example.com/&lt;img src=x onerror=${RUN}&gt;</p>`,
    `<p>&lt;script&gt;${RUN}&lt;/script&gt;</p>`,
  ],
  ...clobbering(),
]

/** Names of things that a careless program asks the document for. */
const clobbering = (): string[] =>
  each(
    [
      'attributes',
      'body',
      'head',
      'ownerDocument',
      'location',
      'childNodes',
      'querySelectorAll',
      'textContent',
    ],
    [
      (name: string) => `<form id="${name}"><input name="${name}"></form>${IMG}`,
      (name: string) =>
        `<img name="${name}"><a id="${name}" href="https://example.com">x</a>${IMG}`,
    ],
    (name, make) => make(name),
  )
