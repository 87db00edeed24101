/** Addresses that are programs, in every place that takes an address. */
import { asReferences, each, RUN } from './family.ts'

const programs = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  asReferences(`javascript:${RUN}`),
  `jav&Tab;ascript&colon;${RUN}`,
  `java&NewLine;script:${RUN}`,
  `&#1;&#14; javascript:${RUN}`,
  `javascript://example.com/%0a${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `data:text/html;base64,PHNjcmlwdD50b3AucHduZWQ9MTwvc2NyaXB0Pg==`,
  `vbscript:${RUN}`,
]

const sinks: ((address: string) => string)[] = [
  (address) => `<a href="${address}">x</a>`,
  (address) => `<map name=m><area shape=default href="${address}"></map><img usemap=#m>`,
  (address) => `<iframe src="${address}"></iframe>`,
  (address) => `<object data="${address}"></object><embed src="${address}">`,
  (address) => `<form action="${address}"><button autofocus>x</button></form>`,
  (address) => `<form id=f></form><button form=f formaction="${address}">x</button>`,
  (address) => `<svg><a xlink:href="${address}"><text y=20>x</text></a></svg>`,
  (address) =>
    `<svg><a><animate attributeName=href values="${address}"/><text y=9>x</text></a></svg>`,
  (address) => `<math><mrow href="${address}">x</mrow></math>`,
  (address) => `<base href="${address}//"><a href="a">x</a>`,
  (address) => `<meta http-equiv="refresh" content="0;url=${address}">`,
  (address) => `<img src="${address}" lowsrc="${address}" dynsrc="${address}">`,
]

export const addresses = (): string[] => [
  ...each(programs, sinks, (address, sink) => sink(address)),
  ...['/api/v1/profile', '/dashboard', 'blob:https://example.com/1', '//example.com/a'].map(
    (address) => `<a href="${address}">x</a>`,
  ),
]
