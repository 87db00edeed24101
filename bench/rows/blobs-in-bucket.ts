import { existsSync } from 'node:fs'
import { anObjectStore, type ObjectStore } from '#test-world/object-store/object-store.ts'
import { startSwift } from '#test-world/object-store/swift.ts'
import { type Bench, type Measured, median, percentile } from '../row.ts'
import { boxes, withBusyDomain } from '../smtp/busy-domain.ts'
import { sendMails } from '../smtp/send-mails.ts'

const ROUNDS = 3
const MESSAGES = 2_000
const WARM_UP = 500
const MAILBOXES = 20

/**
 * 10 kB messages to mailboxes with the blobs in files, in a bucket of a quick store in memory, and in OpenStack Swift where it is
 * installed. The store shares this machine: what it computes is missing elsewhere.
 */
export const blobsInBucket: Bench = {
  name: 'blobs in a bucket',
  run: async () => {
    const rows = await measured('files', {})
    rows.push(...(await inStore('a quick bucket', anObjectStore)))
    if (existsSync('/usr/bin/memcached') && existsSync('/usr/lib/python3/dist-packages/swift'))
      rows.push(...(await inStore('Swift', startSwift)))
    return rows
  },
}

const inStore = async (where: string, open: () => Promise<ObjectStore>): Promise<Measured[]> => {
  const store = await open()
  try {
    await store.makeBucket('bench')
    return await measured(where, { BLOB_URL: store.url('bench'), BLOB_FROM: 'files' })
  } finally {
    await store.close()
  }
}

const measured = (where: string, settings: Record<string, string>): Promise<Measured[]> =>
  withBusyDomain(
    MAILBOXES,
    async (product) => {
      const send = (count: number) => sendMails(product.smtpPort, boxes(MAILBOXES), count)
      await send(WARM_UP)
      const rates: number[] = []
      for (let n = 0; n < ROUNDS; n++) {
        const startedAt = performance.now()
        await send(MESSAGES)
        rates.push((MESSAGES / (performance.now() - startedAt)) * 1_000)
      }
      const single: number[] = []
      for (let n = 0; n < 50; n++) {
        const startedAt = performance.now()
        await sendMails(product.smtpPort, boxes(1), 1)
        single.push(performance.now() - startedAt)
      }
      return [
        {
          ...{ what: `accept 10 kB messages, blobs in ${where}`, unit: 'messages/s' as const },
          ...{ value: median(rates), budget: null },
        },
        {
          ...{ what: '  one message alone, with its connection', unit: 'ms' as const },
          ...{ value: median(single), budget: null },
        },
        {
          ...{ what: '  the slowest of twenty of these', unit: 'ms' as const },
          ...{ value: percentile(single, 95), budget: null },
        },
      ]
    },
    settings,
  )
