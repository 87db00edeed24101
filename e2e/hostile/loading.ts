/** Constructs that request something from another server, which reveals that the mail was read. */
import { each } from './family.ts'

const sinks: ((address: string) => string)[] = [
  (address) => `<img src="${address}" width="1" height="1">`,
  (address) => `<img src=x srcset="${address} 1x, ${address}2 2x">`,
  (address) => `<picture><source srcset="${address}"><img></picture>`,
  (address) =>
    `<table background="${address}"><tr><td background="${address}2">x</td></tr></table>`,
  (address) => `<body background="${address}">`,
  (address) => `<video src="${address}" poster="${address}2" autoplay preload=auto></video>`,
  (address) => `<audio src="${address}" autoplay preload=auto></audio><bgsound src="${address}2">`,
  (address) => `<video><track default src="${address}"><source src="${address}2"></video>`,
  (address) => `<link rel=stylesheet href="${address}"><link rel=icon href="${address}2">`,
  (address) => `<link rel=dns-prefetch href="${address}"><link rel=preconnect href="${address}2">`,
  (address) =>
    `<link rel=prefetch href="${address}"><link rel=preload as=image href="${address}2">`,
  (address) => `<iframe src="${address}"></iframe><frameset><frame src="${address}2"></frameset>`,
  (address) => `<object data="${address}"></object><embed src="${address}2">`,
  (address) => `<svg><image href="${address}"/><use href="${address}2#x"/></svg>`,
  (address) =>
    `<svg><filter id=f><feImage href="${address}"/></filter><rect filter="url(#f)"/></svg>`,
  (address) => `<input type=image src="${address}"><isindex action="${address}2">`,
  (address) => `<a href="https://example.com" ping="${address}">x</a>`,
  (address) => `<meta http-equiv=refresh content="0;url=${address}">`,
]

export const loading = (spy: string): string[] => {
  const written = [
    `${spy}/a`,
    `${spy.replace('http:', '')}/b`,
    ` \t${spy.replace('http', 'HTTP')}/c `,
    `${spy.replace('://', '&colon;&sol;&sol;')}/d`,
  ]
  return each(sinks, written, (sink, address) => sink(address))
}
