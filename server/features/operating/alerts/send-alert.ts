/** Tells an operator, past our own queue, which may be what is wrong (decision 107). */
import type { App } from '#server/app.ts'
import { timeText } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { reasonOf } from '#server/lib/ports/bound-ports.ts'
import { postJson } from '#server/lib/remote/post-json.ts'
import { sendByRelay } from '#server/lib/remote/send-by-relay.ts'
import { writeMessage } from '#server/standards/message-writer.ts'
import type { Channel, News } from './alert-state.ts'

/** What is posted, but for `installation`. */
export type AlertMessage = {
  alert: string
  state: News
  sentence: string
  mend: string
  since: Date
}

type World = Pick<App, 'config' | 'clock'>

/** Of a whole try. */
const MOST_MS = 10_000

/** The settings by their channels. */
export const channelSettings: Record<Channel, 'ALERT_URL' | 'ALERT_RELAY_URL'> = {
  url: 'ALERT_URL',
  relay: 'ALERT_RELAY_URL',
}

export const channelsOf = ({ alertUrl, alertRelay }: App['config']): Channel[] => [
  ...(alertUrl === null ? [] : ['url' as const]),
  ...(alertRelay === null ? [] : ['relay' as const]),
]

/** @returns why it was not taken; null: it was */
export const sendAlert = async (
  world: World,
  channel: Channel,
  message: AlertMessage,
  mostMs = MOST_MS,
): Promise<string | null> => {
  try {
    await ways[channel](world, message, mostMs)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

type Way = (world: World, message: AlertMessage, mostMs: number) => Promise<void>

const ways: Record<Channel, Way> = {
  url: async ({ config }, message, mostMs) => {
    if (config.alertUrl === null) return
    const { alert, state, sentence, mend, since } = message
    await postJson(
      config.alertUrl,
      { alert, state, sentence, mend, since, installation: config.publicUrl },
      mostMs,
    )
  },
  relay: async (world, message, mostMs) => {
    const { alertRelay, mailHost } = world.config
    if (alertRelay === null) return
    const { url, from, to } = alertRelay
    const raw = await writeMail(world, { from, to }, message)
    await sendByRelay(url, mailHost, { from, to, raw }, mostMs)
  },
}

const writeMail = (
  { config, clock }: World,
  { from, to }: { from: string; to: readonly string[] },
  { alert, state, sentence, mend, since }: AlertMessage,
): Promise<Buffer> => {
  const isOver = state === 'ended'
  const { host } = new URL(config.publicUrl)
  const paragraphs = [
    sentence,
    `Since ${timeText(since)}.${isOver ? ' It is over.' : ''}`,
    ...(isOver ? [] : [mend]),
    `-- \nMailstead at ${config.publicUrl}, alert ${alert}`,
  ]
  return writeMessage({
    from: { name: 'Mailstead', address: from },
    to: to.map((address) => ({ name: '', address })),
    subject: `${isOver ? 'Over' : 'Alert'}: ${alert} at ${host}`,
    messageId: `${newId()}@${config.mailHost}`,
    date: clock.now(),
    text: `${paragraphs.join('\n\n')}\n`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}
