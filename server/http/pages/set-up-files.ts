/**
 * Files by which mail programs set themselves up from an address, and the MTA-STS policies of domains (decision 100). They are
 * served at our own host and at the hosts of verified domains that point here. What is answered depends on the domain alone, so
 * nobody learns from it which mailboxes exist.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { findVerifiedDomain } from '#server/features/domains/find-domain.ts'
import { mailServerOf } from '#server/features/domains/mail-server.ts'
import { stsPolicyOf } from '#server/features/domains/sts-policy.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { isSelfSigned, signMessage } from '#server/lib/tls/sign-message.ts'
import { parseAddress } from '#server/standards/address.ts'
import { appleProfile } from '#server/standards/set-up/apple-profile.ts'
import { autoconfigXml } from '#server/standards/set-up/autoconfig.ts'
import {
  autodiscoverRefusal,
  autodiscoverXml,
  readAutodiscover,
} from '#server/standards/set-up/autodiscover.ts'
import { paccJson } from '#server/standards/set-up/pacc.ts'
import { xmlOf } from '../exchange/read-body.ts'

const AUTOCONFIG = ['/mail/config-v1.1.xml', '/.well-known/autoconfig/mail/config-v1.1.xml']
const AUTODISCOVER = '/autodiscover/autodiscover.xml'
const AUTODISCOVER_JSON = '/autodiscover/autodiscover.json'
/** A request of Outlook has 400. */
const MOST_XML_BYTES = 8 * 1024

/** Programs write these two parts of the path in any case. For `rewriteUrl`. */
export const plainCase = (url: string): string =>
  url.replace(/^\/autodiscover\/autodiscover\.(?:xml|json)(?=[/?]|$)/i, (path) =>
    path.toLowerCase(),
  )

const ASKED_PLAINLY = [...AUTOCONFIG, AUTODISCOVER]

/** Files that mail programs also ask for where the host has no certificate: without TLS. They hold no secret. */
export const isSetUpPath = (url: string): boolean =>
  ASKED_PLAINLY.includes(plainCase(url.split('?', 1)[0] ?? ''))

export const registerSetUpFiles = (server: FastifyInstance, app: App): void => {
  const mailServer = mailServerOf(app.config)
  const pacc = paccJson(mailServer)

  for (const path of AUTOCONFIG)
    server.get(path, async (request, reply) => {
      const { emailaddress } = request.query as Asked
      const domain = await domainOf(app, request, emailaddress)
      return send(reply, 'text/xml; charset=utf-8', autoconfigXml(domain, mailServer))
    })

  server.get('/.well-known/user-agent-configuration.json', async (request, reply) => {
    await domainOf(app, request)
    if (pacc === null) throw new AppError('NOT_EXISTS')
    return send(reply, 'application/json; charset=utf-8', pacc)
  })

  server.get('/apple.mobileconfig', async (request, reply) => {
    const address = addressIn((request.query as Asked).email)
    if (address === null) throw new AppError('NOT_EXISTS')
    await domainOf(app, request, address)
    reply.header('content-disposition', 'attachment; filename="mail.mobileconfig"')
    const profile = Buffer.from(appleProfile(address, mailServer))
    return send(reply, 'application/x-apple-aspen-config', await signed(app, profile))
  })

  server.get('/.well-known/mta-sts.txt', async (request, reply) => {
    const [, name] = /^mta-sts\.(.+)$/.exec(hostOf(request)) ?? []
    const policy = name === undefined ? null : await stsPolicyOf(app, name)
    if (policy === null) throw new AppError('NOT_EXISTS')
    return send(reply, 'text/plain; charset=utf-8', policy)
  })

  registerAutodiscover(server, app)
}

const registerAutodiscover = (server: FastifyInstance, app: App): void => {
  const { config, clock } = app
  const mailServer = mailServerOf(config)

  server.post(AUTODISCOVER, { bodyLimit: MOST_XML_BYTES }, async (request, reply) => {
    const { address, isForMail } = readAutodiscover(xmlOf(request))
    reply.type('text/xml; charset=utf-8').header('cache-control', 'no-store')
    if (address === null) return autodiscoverRefusal(600, clock.now())
    await domainOf(app, request, address)
    return isForMail ? autodiscoverXml(address, mailServer) : autodiscoverRefusal(601, clock.now())
  })

  // A host of a customer that has no certificate sends programs on to ours, by plain HTTP.
  server.get(AUTODISCOVER, async (request, reply) => {
    if (hostOf(request) === new URL(config.publicUrl).hostname) throw new AppError('NOT_EXISTS')
    await domainOf(app, request)
    return reply.redirect(`${config.publicUrl}${AUTODISCOVER}`, 302)
  })

  for (const path of [AUTODISCOVER_JSON, `${AUTODISCOVER_JSON}/*`])
    server.get(path, async (request, reply) => {
      const query = lowerKeys(request.query as Asked)
      const inPath = /\/([^/]{3,300})$/.exec((request.params as { '*'?: string })['*'] ?? '')?.[1]
      await domainOf(app, request, query.email ?? inPath)
      reply.header('cache-control', 'no-store')
      if (query.protocol?.toLowerCase() === 'autodiscoverv1')
        return { Protocol: 'AutodiscoverV1', Url: `${config.publicUrl}${AUTODISCOVER}` }
      return reply
        .code(404)
        .send({ ErrorCode: 'ProtocolNotSupported', ErrorMessage: 'IMAP and SMTP are served here.' })
    })
}

/** Repeated fields of a query are lists. */
type Asked = Record<string, unknown>

const lowerKeys = (query: Asked): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  )

const addressIn = (value: unknown): string | null =>
  typeof value === 'string' ? (parseAddress(value)?.address ?? null) : null

const PREFIX = /^(?:autoconfig|autodiscover|ua-auto-config)\./

/** The verified domain of the address, or without one of the host. @throws NOT_EXISTS */
const domainOf = async (app: App, request: FastifyRequest, address?: unknown): Promise<string> => {
  const asked = addressIn(address)
  const name = asked?.slice(asked.indexOf('@') + 1) ?? hostOf(request).replace(PREFIX, '')
  return (await verified(app, name)).name
}

const verified = async (app: App, name: string) => {
  const domain = name === '' ? null : await findVerifiedDomain(app, name)
  if (domain === null) throw new AppError('NOT_EXISTS')
  return domain
}

const MAX_HOST = 253

/** In lower case, without port and last dot. */
const hostOf = (request: FastifyRequest): string =>
  request.hostname
    .slice(0, MAX_HOST + 1)
    .toLowerCase()
    .replace(/\.$/, '')

/** As it is, where only a self-signed certificate is there: a device would not know it. */
const signed = async ({ certificates, clock }: App, profile: Buffer): Promise<Buffer> => {
  await certificates.load()
  const usual = certificates.usual()
  return (isSelfSigned(usual) ? null : signMessage(profile, usual, clock.now())) ?? profile
}

const send = (reply: FastifyReply, type: string, text: string | Buffer): FastifyReply =>
  reply
    .header('content-type', type)
    .header('cache-control', `public, max-age=${HOUR_SECONDS}`)
    // One address has other answers for other hosts.
    .header('vary', 'host')
    .send(text)
