/** How a page of the stage looks. Each says what it is: somebody who tries the demo must not take it for Stripe. */
import type { ServerResponse } from 'node:http'
import type { Events } from './events.ts'
import type { Objects } from './objects.ts'

export type AskedPage = { method: string; path: string; form: URLSearchParams }
/** What a button of the front page does. @returns what it says afterwards */
export type StageAction = { name: () => string; run: () => Promise<string> }
export type PageWorld = { objects: Objects; events: Events; actions: StageAction[] }

export const page = (response: ServerResponse, title: string, body: string): unknown => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  return response.end(
    `<!doctype html><html lang="en"><title>${escaped(title)}</title><meta name="viewport" content="width=device-width">
    <style>${STYLE}</style><main><p role="note">${NOTE}</p><h1>${escaped(title)}</h1>${body}</main>`,
  )
}

const NOTE =
  'This page stands in for Stripe. No money moves, and no card is asked for: please type no number of your own.'

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.4 system-ui;margin:0}
  main{max-width:34rem;margin:2rem auto;padding:0 1rem;display:grid;gap:1rem}form{display:grid;gap:.75rem}
  [role=note]{border:1px solid;border-radius:.5rem;padding:.75rem;margin:0}h1,h2{margin:0}h2{font-size:1.1rem}
  label{display:grid;gap:.25rem}input,button{font:inherit;min-height:2.75rem;padding:0 .75rem}
  ul{padding:0;list-style:none;display:grid;gap:1rem}li{display:grid;gap:.5rem}`

export const go = (response: ServerResponse, to: string): unknown =>
  response.writeHead(303, { location: to }).end()

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** '4.00 USD' */
export const sumText = (cents: number, currency: string): string =>
  `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`
