/**
 * Caddy and nginx in front of the product, with our examples in `deploy/`: a large upload and live events pass, the client's
 * address arrives, and a name without TLS is answered. Needs Debian's packages caddy and nginx.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MAX_UPLOAD_BYTES } from '#contract/mail/writing.ts'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import { freePort } from '../../free-port.ts'
import { aProduct, ELSEWHERE, type Product } from '../../product.ts'
import { aMailboxAt, anAccount, anActiveDomain, PASSWORD } from '../account.ts'
import { env, run } from './tools.ts'

const NAME = 'mail.example.com'
/** Not that of the proxy. */
const CLIENT = '127.0.0.2'
const FORGED = '203.0.113.9'
const EMAIL = `ada@${ELSEWHERE}`
const READY_MS = 20_000

export type ProxiesTrial = { passed: string[]; faults: string[] }

/** `app` and `plain`: where the product listens; the others are for the proxy to open. */
type Ports = { app: number; plain: number; https: number; http: number }
type Proxy = { name: string; package: string; command(folder: string, ports: Ports): string[] }

const proxies: Proxy[] = [
  {
    ...{ name: 'caddy', package: 'caddy' },
    command: (folder, { app, plain, https, http }) => {
      const settings = `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tstorage file_system ${folder}\n}\n`
      const sites = adapt(readFileSync('deploy/Caddyfile', 'utf8'), [
        ['\treverse_proxy 127.0.0.1:8080', `\ttls ${folder}/tls.pem ${folder}/tls.key\n\t$&`],
        ['127.0.0.1:8080', `127.0.0.1:${app}`],
        ['127.0.0.1:8081', `127.0.0.1:${plain}`],
      ])
      writeFileSync(join(folder, 'Caddyfile'), settings + sites)
      return ['caddy', 'run', '--config', join(folder, 'Caddyfile')]
    },
  },
  {
    ...{ name: 'nginx', package: 'nginx' },
    command: (folder, { app, plain, https, http }) => {
      mkdirSync(join(folder, 'body'))
      const sites = adapt(readFileSync('deploy/nginx.conf', 'utf8'), [
        ['listen 80 ', `listen 127.0.0.1:${http} `],
        ['listen 443 ', `listen 127.0.0.1:${https} `],
        ['/etc/ssl/mail.example.com', `${folder}/tls`],
        ['/etc/ssl/mail.example.com', `${folder}/tls`],
        ['127.0.0.1:8080', `127.0.0.1:${app}`],
        ['127.0.0.1:8081', `127.0.0.1:${plain}`],
      ])
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const places = kinds.map((kind) => `${kind}_temp_path ${folder}/body;`).join(' ')
      const own = `daemon off; pid ${folder}/pid; events {}\nhttp { access_log off; ${places}\n${sites}}\n`
      writeFileSync(join(folder, 'nginx.conf'), own)
      return ['nginx', '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')]
    },
  },
]

/** @throws when the example has not what is replaced */
const adapt = (text: string, changes: [from: string, to: string][]): string =>
  changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the example has no ${from}`)
    return changed.replace(from, to)
  }, text)

export const tryWebProxies = async (): Promise<ProxiesTrial> => {
  const [app, plain] = [await freePort(), await freePort()]
  const product = await aProduct({
    ...{ PUBLIC_URL: `https://${NAME}`, TRUSTED_PROXIES: '127.0.0.1', BILLING: 'off' },
    ...{ HOST: '127.0.0.1', PORT: String(app), HTTP_PORT: String(plain), LOG_LEVEL: 'info' },
  })
  const trial: ProxiesTrial = { passed: [], faults: [] }
  try {
    const account = await anAccount(product, EMAIL)
    const domain = await anActiveDomain(product, account, 'proxies.example')
    const mailbox = await aMailboxAt(account, domain, 'ada')
    for (const proxy of proxies) {
      if ((await run('sh', ['-c', `command -v ${proxy.name}`])).code !== 0) {
        trial.faults.push(`${proxy.name} was not tried: apt-get install ${proxy.package}`)
        continue
      }
      const ports = { app, plain, https: await freePort(), http: await freePort() }
      const found = await tryProxy(proxy, product, mailbox._id, ports).catch((error: unknown) => [
        String(error),
      ])
      trial.faults.push(...found.map((fault) => `${proxy.name}: ${fault}`))
      if (found.length === 0) trial.passed.push(proxy.name)
    }
  } finally {
    await product.close()
  }
  return trial
}

const tryProxy = async (
  proxy: Proxy,
  product: Product,
  mailboxId: string,
  ports: Ports,
): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-proxy-'))
  const { cert, key } = selfSigned(NAME, new Date(), 30)
  writeFileSync(join(folder, 'tls.pem'), cert)
  writeFileSync(join(folder, 'tls.key'), key)
  const [command = '', ...args] = proxy.command(folder, ports)
  const child = spawn(command, args, { env: { ...env, HOME: folder }, stdio: 'ignore' })
  try {
    await answers(ports.https, child)
    return [
      ...(await passes(product, mailboxId, ports.https)),
      ...(await answersWithoutTls(ports.http)),
    ]
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

const at = (port: number, more: RequestOptions): RequestOptions => ({
  ...{ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false, agent: false },
  ...{ ...more, headers: { host: NAME, ...more.headers } },
})

const ask = async (
  options: RequestOptions,
  body = '',
): Promise<{ status: number; body: string }> => {
  const asked = request(options)
  asked.end(body)
  const [response] = await once(asked, 'response')
  return {
    status: response.statusCode,
    body: Buffer.concat(await response.toArray()).toString(),
  }
}

const answers = async (port: number, child: ChildProcess): Promise<void> => {
  for (const giveUpAt = Date.now() + READY_MS; ; await wait(50)) {
    const { status } = await ask(at(port, { path: '/healthz' })).catch(() => ({ status: 0 }))
    if (status === 200) return
    if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error('it does not answer')
  }
}

const passes = async (product: Product, mailboxId: string, port: number): Promise<string[]> => {
  const faults: string[] = []
  const json = { 'content-type': 'application/json' }
  const signIn = at(port, {
    ...{ method: 'POST', path: '/api/v1/auth/login', localAddress: CLIENT },
    headers: { ...json, 'x-forwarded-for': FORGED },
  })
  const signedIn = await ask(signIn, JSON.stringify({ email: EMAIL, password: PASSWORD }))
  if (signedIn.status !== 200) return [`a sign-in got ${signedIn.status}: ${signedIn.body}`]
  const seen = await product.logs(/"event":"signed-in".*\n(?![\s\S]*"event":"signed-in")/)
  if (!seen[0].includes(`"${CLIENT}"`)) faults.push(`the client was not seen: ${seen[0]}`)
  const authorization = `Bearer ${JSON.parse(signedIn.body).token}`
  const path = `/api/v1/mailboxes/${mailboxId}`
  const events = request(at(port, { path: '/api/v1/events', headers: { authorization } })).end()
  const [stream] = await once(events, 'response')
  stream.setEncoding('utf8')
  const [greeting] = await once(stream, 'data')
  if (!greeting.includes('connected')) faults.push(`the stream of events began with ${greeting}`)
  const told = once(stream, 'data')
  const content = Buffer.alloc(MAX_UPLOAD_BYTES, 'mail').toString('base64')
  const file = { filename: 'large.bin', contentType: 'application/octet-stream', content }
  const upload = at(port, {
    ...{ method: 'POST', path: `${path}/uploads` },
    headers: { ...json, authorization, 'transfer-encoding': 'chunked' },
  })
  const uploaded = await ask(upload, JSON.stringify(file))
  if (uploaded.status !== 201) faults.push(`an upload got ${uploaded.status}: ${uploaded.body}`)
  const hello = { to: [`bob@${ELSEWHERE}`], subject: 'Hello', text: 'Hello' }
  const send = at(port, {
    ...{ method: 'POST', path: `${path}/messages` },
    headers: { ...json, authorization },
  })
  await ask(send, JSON.stringify(hello))
  const [event] = await told
  if (!/^data: \{"topic"/m.test(event)) faults.push(`an event came as ${event}`)
  events.destroy()
  return faults
}

const answersWithoutTls = async (port: number): Promise<string[]> => {
  const answer = async (host: string, path: string) => {
    const asked = plainRequest({ host: '127.0.0.1', port, path, headers: { host } }).end()
    const [response] = await once(asked, 'response')
    response.resume()
    return `${response.statusCode} ${response.headers.location ?? ''}`.trim()
  }
  const challenge = await answer('mta-sts.shop.example', '/.well-known/acme-challenge/unknown')
  const home = await answer('somebody.example', '/login')
  return [
    ...(challenge === '404' ? [] : [`a challenge got ${challenge}`]),
    ...(home === `308 https://${NAME}/login` ? [] : [`a browser without TLS got ${home}`]),
  ]
}
