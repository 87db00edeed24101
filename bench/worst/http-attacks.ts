/** The worst known attacks over HTTP: some once stopped the product, others might. */
import type { Attack } from './attack.ts'
import { flood, hold } from './http-calls.ts'

const API = '/api/v1'
const brackets = (bytes: number) => `[${'[],'.repeat(bytes / 3)}[]]`
const network = (n: number) => `127.3.${(n >> 6) % 200}.${(n % 64) + 1}`
const inTurn = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

const byStrangers: Attack[] = [
  {
    name: 'brackets of 250 kB to the login form',
    who: 'stranger',
    run: (world, signal) => {
      const body = brackets(250_000)
      return flood(world, signal, 10, () => ({ method: 'POST', path: `${API}/auth/login`, body }))
    },
  },
  {
    name: 'refused sign-up forms of 30 networks',
    who: 'stranger',
    run: (world, signal) => {
      const body = JSON.stringify({ firstName: '', email: 'x'.repeat(7_000), password: 'short' })
      return flood(world, signal, 30, (n) => ({
        ...{ method: 'POST', path: `${API}/auth/register`, body, from: network(n * 64) },
      }))
    },
  },
  {
    name: 'passwords guessed from 30 networks',
    who: 'stranger',
    run: (world, signal) => {
      let guess = 0
      return flood(world, signal, 30, (n) => ({
        ...{ method: 'POST', path: `${API}/auth/login`, from: network(n * 64) },
        body: JSON.stringify({ email: `nobody${guess++}@example.org`, password: 'Guess-No-1!' }),
      }))
    },
  },
  {
    name: 'codes of a second factor guessed from 30 networks',
    who: 'stranger',
    run: async (world, signal) => {
      const headers = { 'content-type': 'application/json' }
      const asked = await fetch(`${world.httpUrl}${API}/auth/login`, {
        ...{ method: 'POST', headers, body: JSON.stringify(world.guarded), signal },
      })
      const { data } = (await asked.json()) as { data: { challenge: string } }
      let guess = 0
      return flood(world, signal, 30, (n) => ({
        ...{ method: 'POST', path: `${API}/auth/second-factor`, from: network(n * 64) },
        body: JSON.stringify({
          challenge: data.challenge,
          code: String(guess++ % 1_000_000).padStart(6, '0'),
        }),
      }))
    },
  },
  {
    name: 'pages and unknown paths, 30 connections',
    who: 'stranger',
    run: (world, signal) =>
      flood(world, signal, 30, (n) => ({
        path: inTurn(['/login', '/sign-up', '/metrics', `${API}/nothing`, '/dashboard'], n),
      })),
  },
  {
    name: 'the API document, 10 connections',
    who: 'stranger',
    run: (world, signal) => flood(world, signal, 10, () => ({ path: `${API}/openapi.json` })),
  },
  {
    name: 'headers that never end, 1,500 connections',
    who: 'stranger',
    run: (world, signal) =>
      hold(world, signal, 1_500, {
        ...{ first: 'GET /login HTTP/1.1\r\nhost: x\r\n', trickle: 'x-more: x\r\n', from: network },
      }),
  },
  {
    name: 'forms that never end, 1,500 connections',
    who: 'stranger',
    run: (world, signal) => {
      const head = `POST ${API}/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
      const first = `${head}content-length: 8000\r\n\r\n{`
      return hold(world, signal, 1_500, { first, trickle: ' ', from: network })
    },
  },
]

const byFreeAccounts: Attack[] = [
  {
    name: '24 MB of brackets to a mailbox that is not there',
    who: 'free account',
    run: (world, signal) => {
      const body = brackets(24_000_000)
      return flood(world, signal, 2, (n) => ({
        ...{ method: 'POST', path: `${API}/mailboxes/x/uploads`, body },
        token: inTurn(world.freeAccounts, n).token,
      }))
    },
  },
  {
    name: 'forms of 2 MB that never end, five accounts',
    who: 'free account',
    run: (world, signal) => {
      let n = 0
      const head = () =>
        `POST ${API}/mailboxes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
        `authorization: Bearer ${inTurn(world.freeAccounts, n++).token}\r\n`
      const first = `${head()}content-length: 1990000\r\n\r\n{"signature":"${'x'.repeat(400_000)}`
      return hold(world, signal, 300, { first, trickle: 'x', from: network })
    },
  },
  {
    name: 'as many values as a body may have, 10 connections',
    who: 'free account',
    run: (world, signal) => {
      const body = `{"firstName":${brackets(7_000)}}`
      return flood(world, signal, 10, (n) => ({
        ...{ method: 'PATCH', path: `${API}/profile`, body },
        token: inTurn(world.freeAccounts, n).token,
      }))
    },
  },
  {
    name: 'event streams, 500 connections',
    who: 'free account',
    run: (world, signal) => {
      const token = world.freeAccounts[0]?.token ?? ''
      const first = `GET ${API}/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`
      return hold(world, signal, 500, { first, from: network })
    },
  },
]

const file = (bytes: number) => ({
  ...{ filename: 'a.bin', contentType: 'application/octet-stream' },
  content: Buffer.alloc(bytes, 'All the world').toString('base64'),
})

const byTenants: Attack[] = [
  {
    name: '24 MB of brackets to their own mailbox',
    who: 'tenant',
    run: (world, signal) => {
      const { token, mailboxId } = world.tenant
      const path = `${API}/mailboxes/${mailboxId}/uploads`
      const body = brackets(24_000_000)
      return flood(world, signal, 4, () => ({ method: 'POST', path, token, body }))
    },
  },
  {
    name: 'messages of 17 MB, sent by 6 connections',
    who: 'tenant',
    run: (world, signal) => {
      const { token, mailboxId } = world.tenant
      const path = `${API}/mailboxes/${mailboxId}/messages`
      const body = JSON.stringify({
        ...{ to: [world.recipient], subject: 'Large', text: 'Hello' },
        attachments: [file(17_000_000)],
      })
      return flood(world, signal, 6, () => ({ method: 'POST', path, token, body }))
    },
  },
  {
    name: 'uploads of 18 MB, 20 connections',
    who: 'tenant',
    run: (world, signal) => {
      const { token, mailboxId } = world.tenant
      const path = `${API}/mailboxes/${mailboxId}/uploads`
      const body = JSON.stringify(file(17_900_000))
      return flood(world, signal, 20, () => ({ method: 'POST', path, token, body }))
    },
  },
  {
    name: 'kept messages of 12 MB that are never read, 60 connections',
    who: 'tenant',
    run: async (world, signal) => {
      const { token, mailboxId } = world.tenant
      const box = `${API}/mailboxes/${mailboxId}`
      const found = await fetch(`${world.httpUrl}${box}/messages?folder=inbox`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { items } = (await found.json()) as { items: { _id: string; size: number }[] }
      const large = items.toSorted((a, b) => b.size - a.size)[0]
      const path = `${box}/messages/${large?._id}/raw`
      const first = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`
      await hold(world, signal, 60, { first, from: () => '127.3.0.1' })
    },
  },
  {
    name: 'their mailbox as mbox, 4 connections',
    who: 'tenant',
    run: async (world, signal) => {
      const { token, mailboxId } = world.tenant
      const path = `/mailboxes/${mailboxId}/exports`
      const one = async () => {
        while (!signal.aborted) {
          const made = await fetch(`${world.httpUrl}${API}${path}`, {
            ...{ method: 'POST', body: '{}', signal },
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          })
          const { token: link } = (await made.json()) as { token: string }
          const export_ = await fetch(`${world.httpUrl}${API}/mail-exports/${link}`, { signal })
          for await (const _ of export_.body ?? []);
        }
      }
      await Promise.all(Array.from({ length: 4 }, one))
    },
  },
  {
    name: 'pages drawn with all that is known, 10 connections',
    who: 'tenant',
    run: (world, signal) => {
      const { token, mailboxId } = world.tenant
      const cookie = `_access_token=${encodeURIComponent(JSON.stringify({ token }))}`
      const paths = [
        '/dashboard',
        '/dashboard/domains',
        `/dashboard/view-mail?mailbox=${mailboxId}`,
      ]
      return flood(world, signal, 10, (n) => ({ path: inTurn(paths, n), headers: { cookie } }))
    },
  },
  {
    name: 'searches for what every mail has, 10 connections',
    who: 'tenant',
    run: (world, signal) => {
      const { token, mailboxId } = world.tenant
      const path = `${API}/mailboxes/${mailboxId}/search?q=subject`
      return flood(world, signal, 10, () => ({ path, token }))
    },
  },
  {
    name: 'letters of 5 MB saved as drafts, 6 connections',
    who: 'tenant',
    run: (world, signal) => {
      const { token, mailboxId } = world.tenant
      const path = `${API}/mailboxes/${mailboxId}/messages`
      const html = '<p>All the world is a stage.</p>'.repeat(150_000)
      const body = JSON.stringify({ subject: 'Long', html, draft: true })
      return flood(world, signal, 6, () => ({ method: 'POST', path, token, body }))
    },
  },
]

export const httpAttacks: Attack[] = [...byStrangers, ...byFreeAccounts, ...byTenants]
