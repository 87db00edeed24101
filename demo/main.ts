/** npm run demo: a temporary installation with the sample workspace and its own environment. */
import { outboxUrl } from '#server/features/outbox/held-mails.ts'
import { startApp } from '#server/start-app.ts'
import { demoConfig, openDemoWorld } from './demo-world.ts'
import { findPorts } from './ports.ts'
import { runUntilStopped, say } from './run-until-stopped.ts'
import { seedSample } from './sample/seed-sample.ts'
import { sandboxRoutes } from './sandbox/sandbox-routes.ts'
import { sayWelcome } from './welcome.ts'

await runUntilStopped(async ({ undo, stop }) => {
  const ports = await findPorts(say)
  say('Making the demo ...')
  const world = await openDemoWorld(say)
  undo.defer(() => world.close())
  const running = await startApp(demoConfig(world, ports), {
    say,
    moreRoutes: sandboxRoutes(world.sandbox),
  })
  undo.defer(() => running.close())
  const { app, addresses } = running
  const team = await seedSample(app, world, stop)
  const dashboardUrl = app.config.publicUrl
  const smtpPort = addresses.smtp?.port ?? 0
  world.elsewhere.startAnswering(smtpPort)
  world.cards?.serve(app, addresses.http ?? dashboardUrl)
  sayWelcome(team, {
    ...{ dashboardUrl, smtpPort, imapsPort: addresses.imap?.tlsPort ?? 0 },
    ...{ submissionsPort: addresses.submission?.tlsPort ?? 0, outboxUrl: outboxUrl(app) },
    cardsUrl: world.cards?.url ?? null,
  })
})
