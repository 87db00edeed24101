/** Types for oidc-provider, which has none; only what the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type Grant = {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }
  type Context = {
    oidc: {
      session: { accountId: string }
      client: { clientId: string }
      params: { scope: string }
      account: { accountId: string }
    }
  }

  class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    use(middleware: (context: { body: unknown }, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>
    Grant: new (about: {
      accountId: string
      clientId: string
    }) => Grant
    on(event: string, listener: (...args: unknown[]) => void): this
  }

  export type { Context }
  // biome-ignore lint/style/noDefaultExport: so the package exports it
  export { Provider as default }
}
