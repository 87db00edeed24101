/** What docs/webhooks.md says of the topics is what the contract says, and the example does what it promises. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { WEBHOOK_TOPICS, webhookTopics } from '#contract/developers/webhook-topics.ts'
import { postRemote } from '#server/lib/remote/post-remote.ts'
import { anApp } from '#test-world/app.ts'
import { RETRY_SECONDS } from './deliver-events.ts'
import { newSecret, signedHeaders } from './webhook-secrets.ts'

const docs = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

test('each topic stands in docs/webhooks.md, in the words of the contract, with its example', () => {
  const rows = WEBHOOK_TOPICS.map((topic) => {
    const { text, example } = webhookTopics[topic]
    return `| \`${topic}\` | ${text} | \`${JSON.stringify(example)}\` |`
  })
  const table = docs.split('\n').filter((line) => line.startsWith('| `'))
  expect(table).toEqual(rows)
})

test('the times of the retries stand there too', () => {
  const word = (seconds: number) =>
    seconds < 60 ? `${seconds} s` : seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`
  expect(docs).toContain(RETRY_SECONDS.map(word).join(', '))
})

test('the program of examples/ takes a signed event once, says what it was told, and refuses a forged one', async () => {
  const secret = newSecret()
  const path = new URL('../../../examples/react-to-an-event.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
  })
  const app = await anApp()
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const port = /port (\d+)/.exec(String((await lines.next()).value))?.[1]
  const network = { dns: app.dns, allowLoopbackPeers: true }
  const body = JSON.stringify({
    ...{ type: 'mail.bounced', timestamp: new Date().toISOString() },
    data: webhookTopics['mail.bounced'].example,
  })
  const post = (by: string, id: string) =>
    postRemote(
      network,
      `http://127.0.0.1:${port}/`,
      { body, headers: signedHeaders([by], { id, at: new Date(), body }) },
      { wholeMs: 20_000, maxBytes: 100 },
    )
  expect(await post(newSecret(), 'forged')).toMatchObject({ status: 400 })
  for (const id of ['one', 'one', 'two'])
    expect(await post(secret, id)).toMatchObject({ status: 204 })
  const said = 'grace@example.net could not be reached: 550 5.1.1 No such user'
  expect([(await lines.next()).value, (await lines.next()).value]).toEqual([said, said])
  child.kill()
  const ended = await once(child, 'exit')
  expect(ended).toEqual([null, 'SIGTERM'])
  await app.close()
})
