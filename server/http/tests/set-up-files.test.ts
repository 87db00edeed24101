/** What mail programs ask for to set themselves up, by host and path. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { openHttpServer } from '../http-server.ts'

const NAME = 'set-up.example'
const XML = 'text/xml; charset=utf-8'

let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await anApp({
    config: {
      ...{ imapsPort: 993, imapPort: 143, submissionsPort: 465, submissionPort: 587 },
      ...{ mailHost: 'mail.host.example', publicUrl: 'https://host.example' },
    },
  })
  server = await openHttpServer(app)
  const domain = await aDomain(app, { name: NAME, active: true })
  await aMailbox(app, { domain, localPart: 'ada' })
  await aDomain(app, { name: 'unproven.example' })
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const get = (url: string, host = 'host.example') => server.inject({ url, headers: { host } })
const post = (url: string, payload: string, type = 'text/xml') =>
  server.inject({
    ...{ method: 'POST', url, payload },
    headers: { host: 'host.example', 'content-type': type },
  })
const request = (address: string) =>
  `<Autodiscover><Request><EMailAddress>${address}</EMailAddress></Request></Autodiscover>`

const CONFIG = '/mail/config-v1.1.xml'
const WELL_KNOWN = `/.well-known/autoconfig${CONFIG}`

test.each([
  ['at its own host', CONFIG, `autoconfig.${NAME}`],
  ['in another case, with a port', CONFIG, `Autoconfig.${NAME.toUpperCase()}:8443`],
  ['at the domain itself', WELL_KNOWN, NAME],
  ['at our host, by the address', `${WELL_KNOWN}?emailaddress=ada%40${NAME}`, 'host.example'],
  [
    'where the MX leads, by the address',
    `${CONFIG}?emailaddress=ada%40${NAME}`,
    'autoconfig.host.example',
  ],
  ['for a placeholder', `${CONFIG}?emailaddress=%25EMAILADDRESS%25`, `autoconfig.${NAME}`],
])('autoconfig %s', async (_where, url, host) => {
  const { statusCode, headers, body } = await get(url, host)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({ 'content-type': XML, 'cache-control': 'public, max-age=3600' })
  expect(headers.vary).toContain('host')
  expect(body).toContain(`<emailProvider id="${NAME}">`)
  expect(body).toContain('<hostname>mail.host.example</hostname>')
})

test.each([
  CONFIG,
  WELL_KNOWN,
  '/.well-known/user-agent-configuration.json',
  '/autodiscover/autodiscover.xml',
  '/autodiscover/autodiscover.json?Protocol=AutodiscoverV1',
  '/apple.mobileconfig',
])('nothing is at %s for a domain that nobody proved', async (url) => {
  const hosts = ['host.example', 'autoconfig.unproven.example', 'unknown.example', 'a.autoconfig.']
  for (const host of hosts) expect((await get(url, host)).statusCode, host).toBe(404)
  const asked = `${url}${url.includes('?') ? '&' : '?'}`
  for (const address of ['a@unproven.example', 'a@unknown.example']) {
    const query = `email=${address}&emailaddress=${address}`
    expect((await get(`${asked}${query}`)).statusCode, address).toBe(404)
  }
})

test('no answer says whether a mailbox exists', async () => {
  const answers = async (address: string) => {
    const texts = await Promise.all([
      get(`${CONFIG}?emailaddress=${address}`),
      get(`/apple.mobileconfig?email=${address}`),
      post('/autodiscover/autodiscover.xml', request(address)),
      get(`/autodiscover/autodiscover.json?Email=${address}&Protocol=ActiveSync`),
    ])
    return texts.map(({ statusCode, body }) => [
      statusCode,
      body.replaceAll(address, 'A').replace(/[0-9A-F]{8}-[-0-9A-F]{27}|\b[0-9a-f]{16}\b/g, 'ID'),
    ])
  }
  const known = await answers(`ada@${NAME}`)
  expect(known.map(([status]) => status)).toEqual([200, 200, 200, 404])
  expect(await answers(`eve@${NAME}`)).toEqual(known)
})

test.each([
  '/autodiscover/autodiscover.xml',
  '/Autodiscover/Autodiscover.XML',
  '/AUTODISCOVER/AutoDiscover.xml',
])('autodiscover at %s offers IMAP and SMTP alone', async (url) => {
  const { statusCode, headers, body } = await post(url, request(`Ada@${NAME}`))
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({ 'content-type': XML, 'cache-control': 'no-store' })
  expect(body.match(/<Type>\w+</g)).toEqual(['<Type>IMAP<', '<Type>SMTP<'])
  expect(body).toContain(`<LoginName>ada@${NAME}</LoginName>`)
})

test('autodiscover for ActiveSync, without an address, and in JSON: nothing of Exchange', async () => {
  const schema =
    '<AcceptableResponseSchema>http://schemas.microsoft.com/exchange/autodiscover/mobilesync/responseschema/2006</AcceptableResponseSchema>'
  const sync = await post('/autodiscover/autodiscover.xml', request(`ada@${NAME}`) + schema)
  expect(sync.body).toContain('<ErrorCode>601</ErrorCode>')
  const none = await post('/autodiscover/autodiscover.xml', '<x/>')
  expect(none.body).toContain('<ErrorCode>600</ErrorCode>')

  const json = '/autodiscover/autodiscover.json'
  const first = await get(`${json}?Email=ada%40${NAME}&Protocol=AutodiscoverV1`)
  expect(first.json()).toEqual({
    Protocol: 'AutodiscoverV1',
    Url: 'https://host.example/autodiscover/autodiscover.xml',
  })
  const inPath = await get(`/Autodiscover/Autodiscover.json/v1.0/ada@${NAME}?Protocol=EWS`)
  expect(inPath.statusCode).toBe(404)
  expect(inPath.json()).toMatchObject({ ErrorCode: 'ProtocolNotSupported' })
})

test('a host without a certificate sends programs on to ours, which sends them nowhere', async () => {
  const url = '/autodiscover/autodiscover.xml'
  const sent = await get(url, `autodiscover.${NAME}`)
  expect(sent.statusCode).toBe(302)
  expect(sent.headers.location).toBe('https://host.example/autodiscover/autodiscover.xml')
  expect((await get(url)).statusCode).toBe(404)
})

test('hostile XML is refused or read as text', async () => {
  const url = '/autodiscover/autodiscover.xml'
  const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
  const file = `<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>${request(`&x;@${NAME}`)}`
  for (const body of [laughs + request('&b;'), file]) {
    const answer = await post(url, body)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('<ErrorCode>600</ErrorCode>')
    expect(answer.body).not.toContain('root:')
  }
  expect((await post(url, 'x'.repeat(1_000_000))).statusCode).toBe(413)
  expect(
    (await post(url, request(`ada@${NAME}`), 'application/x-www-form-urlencoded')).statusCode,
  ).toBe(415)
  for (const query of ['a=1&email=x&email=y', `email=<script>@${NAME}`, 'email[]=a'])
    expect((await get(`/apple.mobileconfig?${query}`)).statusCode).toBe(404)
})

test('the file of PACC, and the profile for Apple Mail as a file to download', async () => {
  const pacc = await get('/.well-known/user-agent-configuration.json', `ua-auto-config.${NAME}`)
  expect(pacc.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(pacc.json().protocols.imap).toEqual({ host: 'mail.host.example' })
  const profile = await get(`/apple.mobileconfig?email=ada%40${NAME}`)
  expect(profile.headers).toMatchObject({
    'content-type': 'application/x-apple-aspen-config',
    'content-disposition': 'attachment; filename="mail.mobileconfig"',
  })
  expect(profile.body).toContain(`<key>EmailAddress</key><string>ada@${NAME}</string>`)
})

test('in a trial with other ports, what can name a port does', async () => {
  const ports = { imapsPort: 2993, imapPort: 2143, submissionsPort: 2465, submissionPort: 2587 }
  const config = { ...app.config, ...ports, mailHost: 'localhost' }
  const trial = await openHttpServer({ ...app, config })
  const asked = { headers: { host: NAME } }
  const xml = (await trial.inject({ url: WELL_KNOWN, ...asked })).body
  expect(xml.match(/<port>\d+</g)).toEqual([
    '<port>2993<',
    '<port>2143<',
    '<port>2465<',
    '<port>2587<',
  ])
  expect(xml).toContain('<hostname>localhost</hostname>')
  const pacc = await trial.inject({ url: '/.well-known/user-agent-configuration.json', ...asked })
  expect(pacc.statusCode).toBe(404)
  await trial.close()
})

test('the MTA-STS policy is at its own host alone', async () => {
  const url = '/.well-known/mta-sts.txt'
  const policy = await get(url, `mta-sts.${NAME}`)
  expect(policy.statusCode).toBe(200)
  expect(policy.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(policy.body).toBe(
    'version: STSv1\r\nmode: testing\r\nmx: mail.host.example\r\nmax_age: 86400\r\n',
  )
  for (const host of [NAME, 'host.example', 'mta-sts.unproven.example', 'mta-sts.'])
    expect((await get(url, host)).statusCode, host).toBe(404)
})
