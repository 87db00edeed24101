/** The open event stream of a reader in every state of a right: what happens in a mailbox is told for as long as it is theirs. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announceChange } from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, letRead, type Mailbox } from '#test-world/builders.ts'
import {
  aPerson,
  aWorld,
  give,
  type Person,
  type Shared,
  states,
  type World,
} from '#test-world/people/shared-mailbox.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let address: string
let world: World
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  await server.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/v1`
  world = await aWorld(app, server as World['server'])
})
afterAll(async () => {
  await server.close()
  await app.close()
})

/** Ids of the mailboxes that the stream tells of, until it has told of the last one or ended. */
const listen = async (headers: Record<string, string>) => {
  const answer = await fetch(`${address}/events`, { headers })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  return async (last: string): Promise<{ heard: string[]; isOpen: boolean }> => {
    let text = ''
    for (;;) {
      const heard = [...text.matchAll(/"mailboxId":"([^"]+)"/g)].map(([, id]) => id ?? '')
      const piece = heard.includes(last) ? undefined : await reader?.read()
      if (heard.includes(last)) await reader?.cancel()
      if (!piece || piece.done) return { heard, isOpen: heard.includes(last) }
      text += piece.value
    }
  }
}

/** Without mail: that which was filed is told of a moment later, which could be taken for what a test tells. */
const aQuietMailbox = async (): Promise<Shared> => {
  const domain = await aDomain(app, { workspaceId: world.workspaceId, active: true })
  const holder = await aPerson(world, { domain })
  return { box: holder.box, holder, mark: '', ids: {} }
}

/** Read by this person without a word to anybody, so that it is told of only where a test does. */
const aFence = async ({ user }: Person): Promise<Mailbox> => {
  const { box } = await aQuietMailbox()
  await letRead(app, box, user.id)
  return box
}

test.each(Object.entries(states))('an open stream of the reader: %s', async (_name, state) => {
  const [shared, eva] = [await aQuietMailbox(), await aPerson(world)]
  const [fence, last] = [await aFence(eva), await aFence(eva)]
  const first = await listen(eva.headers)
  await give(world, shared, eva)
  const mailIn = ({ id: mailboxId }: { id: string }) => ({
    ...{ topic: 'messages' as const, workspaceId: world.workspaceId, mailboxId },
  })
  await announceChange(app.db, mailIn(shared.box))
  await state.prepare?.(world, shared, eva)
  // All that was told so far has come before this.
  await announceChange(app.db, mailIn(fence))
  const { heard: before, isOpen: isFirstOpen } = await first(fence.id)
  expect([before.includes(shared.box.id), isFirstOpen]).toEqual([true, true])
  const until = await listen(eva.headers)
  await state.become(world, shared, eva)
  await announceChange(app.db, ...[shared.box, world.tom.box, last].map(mailIn))
  const { heard, isOpen } = await until(last.id)
  expect(heard).not.toContain(world.tom.box.id)
  expect(isOpen).toBe(state.answer === null)
  expect(heard.includes(shared.box.id)).toBe(state.answer === null)
})
