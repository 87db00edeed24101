/** An OpenID provider in place of Google: the test chooses the user, and no page asks for input. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Context } from 'oidc-provider'

export type Person = {
  sub: string
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
}

export type OpenidProvider = {
  /** For `google` in the settings of an app. */
  settings: { clientId: string; clientSecret: string; issuer: string }
  /** The user of the next sign-in. */
  person: Person
  /** true: its ID tokens have an invalid signature. */
  isForging: boolean
  /** Follows the redirects from `url` to our return page; returns its URL. */
  signIn(url: string): Promise<URL>
  close(): Promise<void>
}

export type OpenidProviderOptions = {
  redirectUri: string
  /** Puts the e-mail address only into the userinfo endpoint, as strict providers do. */
  claimsAtUserinfoOnly?: boolean
}

export const anOpenidProvider = async (options: OpenidProviderOptions): Promise<OpenidProvider> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { clientId: 'mailstead', clientSecret: 'a secret of the tests', issuer }
  const made: OpenidProvider = {
    settings,
    person: { sub: 'nobody' },
    isForging: false,
    signIn: (url) => walk(url, options.redirectUri),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const people = new Map<string, Person>()
  const provider = new Provider(issuer, configuration(options, settings, people))
  provider.use(async (context: { body: unknown }, next: () => Promise<void>) => {
    await next()
    const { body } = context
    if (made.isForging && typeof body === 'object' && body !== null && 'id_token' in body)
      context.body = { ...body, id_token: forged(String(body.id_token)) }
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const { person } = made
    people.set(person.sub, person)
    provider
      .interactionFinished(request, response, { login: { accountId: person.sub } })
      .catch((error: Error) => response.writeHead(500).end(error.message))
  })
  return made
}

/** The claims do not change. */
const forged = (token: string): string => {
  const [head, claims, signature = ''] = token.split('.')
  const other = Buffer.from(signature, 'base64url').map((byte) => byte ^ 1)
  return [head, claims, Buffer.from(other).toString('base64url')].join('.')
}

const configuration = (
  { redirectUri, claimsAtUserinfoOnly = false }: OpenidProviderOptions,
  { clientId, clientSecret }: OpenidProvider['settings'],
  people: Map<string, Person>,
) => ({
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  pkce: { required: () => true },
  scopes: ['openid', 'email', 'profile'],
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['given_name', 'family_name'],
  },
  conformIdTokenClaims: claimsAtUserinfoOnly,
  cookies: { keys: ['cookies of the tests'] },
  // Without values it prints a notice for each.
  ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  findAccount: (_: unknown, sub: string) => ({
    accountId: sub,
    claims: async () => ({ ...people.get(sub), sub }),
  }),
  // Every user has given consent already.
  loadExistingGrant: async (context: Context & { oidc: { provider: Provider } }) => {
    const { provider, session, client, params } = context.oidc
    const grant = new provider.Grant({
      accountId: session.accountId,
      clientId: client.clientId,
    })
    grant.addOIDCScope(params.scope)
    await grant.save()
    return grant
  },
})

/** Follows redirects, with cookies, until one leads to our own page. */
const walk = async (start: string, redirectUri: string): Promise<URL> => {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  for (let steps = 0; steps < 10; steps += 1) {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null)
      throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url)
    if (url.href.startsWith(redirectUri)) return url
  }
  throw new Error('the provider redirects in a circle')
}
