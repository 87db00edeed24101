/**
 * npm run dev: the environment of the demo around a product that restarts when its code changes, and Vite's server with live
 * reload for the pages. The sample workspace is kept meanwhile.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { outboxUrl } from '#server/features/outbox/held-mails.ts'
import { startApp } from '#server/start-app.ts'
import { ANY_PORT } from '#test-world/program.ts'
import { type DemoWorld, demoConfig, openDemoWorld } from './demo-world.ts'
import { findPort, findPorts } from './ports.ts'
import { runUntilStopped, say } from './run-until-stopped.ts'
import type { Team } from './sample/people.ts'
import { seedSample } from './sample/seed-sample.ts'
import { sandboxRoutes } from './sandbox/sandbox-routes.ts'
import { sayWelcome } from './welcome.ts'

const root = join(import.meta.dirname, '..')
const READY_WITHIN_MS = 30_000

await runUntilStopped(async ({ undo, stop }) => {
  const ports = await findPorts(say)
  const pagesPort = await findPort('PAGES_PORT', 5173, say)
  const dashboardUrl = `http://localhost:${pagesPort}`
  say('Making the sample workspace ...')
  const world = await openDemoWorld(say)
  undo.defer(() => world.close())
  const team = await seedOnce(world, stop)
  const sandbox = await startSandbox(world, dashboardUrl)
  undo.defer(() => sandbox.close())
  world.cards?.serve(sandbox.app, sandbox.addresses.http ?? dashboardUrl)
  const api = `http://127.0.0.1:${ports.PORT}`
  const start = (args: string[], cwd: string, env: Record<string, string>) => {
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(process.execPath, args, {
      cwd,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    undo.defer(() => end(child))
    return child
  }
  const server = ['--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')]
  start(server, world.folder, {
    ...world.settings,
    ...ports,
    PUBLIC_URL: dashboardUrl,
  })
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const pages = start(
    [vite, '--port', String(pagesPort), '--strictPort', '--clearScreen', 'false'],
    root,
    { MAILSTEAD_API: api, SANDBOX_API: sandbox.addresses.http ?? '' },
  )
  world.elsewhere.startAnswering(Number(ports.SMTP_PORT))
  await untilReady(`${api}/healthz`, stop)
  pages.once('exit', () => {
    if (!stop.aborted) say('Vite has ended: the pages are gone. Ctrl+C, and start again.')
  })
  sayWelcome(team, {
    ...{ dashboardUrl, smtpPort: Number(ports.SMTP_PORT), imapsPort: Number(ports.IMAPS_PORT) },
    submissionsPort: Number(ports.SUBMISSIONS_PORT),
    outboxUrl: outboxUrl(sandbox.app),
    cardsUrl: world.cards?.url ?? null,
  })
})

/** Fills the workspace with a separate product, which ends before the watched one starts. */
async function seedOnce(world: DemoWorld, stop: AbortSignal): Promise<Team> {
  const { app, close } = await startApp(demoConfig(world, ANY_PORT), { say })
  try {
    return await seedSample(app, world, stop)
  } finally {
    await close()
  }
}

/** The zones are in this process, so it has a second web door that serves their endpoints. */
function startSandbox(world: DemoWorld, dashboardUrl: string) {
  const settings = { PORT: '0', ROLES: 'web', PUBLIC_URL: dashboardUrl }
  return startApp(demoConfig(world, settings), {
    say,
    moreRoutes: sandboxRoutes(world.sandbox),
  })
}

async function untilReady(url: string, stop: AbortSignal): Promise<void> {
  for (const giveUpAt = performance.now() + READY_WITHIN_MS; performance.now() < giveUpAt; ) {
    stop.throwIfAborted()
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  say('The server is not ready yet; it starts again as soon as its code changes.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
