import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/dns/setting.ts'
import type { App } from '#server/app.ts'
import { dnsSetting } from '#server/features/domains/setting/dns-setting.ts'
import { domainZoneFile } from '#server/features/domains/setting/domain-zone-file.ts'
import { sendFile } from '../exchange/send-file.ts'
import { serve, serveBytes } from '../serve.ts'

export const registerDnsSettingRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.getDnsSetting, ({ params }, who) => dnsSetting(app, who, params.id))
  serveBytes(server, app, routes.getZoneFile, async ({ params }, who, reply) =>
    sendFile(reply, {
      ...(await domainZoneFile(app, who, params.id)),
      contentType: 'text/plain',
    }),
  )
}
