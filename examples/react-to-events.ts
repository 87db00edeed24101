/**
 * Prints what changes in the workspaces of the caller, as it happens, for as long as the program runs.
 *
 *   MAILSTEAD_URL=https://mail.example.net MAILSTEAD_KEY=... node examples/react-to-events.ts
 */
import type { Client } from './client/client/index.ts'
import { type Changed, readEvents } from './client/index.ts'
import { connect } from './connect.ts'

/** Ends when the connection does: the caller then reads its lists again, and begins anew. */
export async function* changes(client: Client, signal: AbortSignal): AsyncGenerator<Changed> {
  const { stream } = await readEvents({ client, signal, sseMaxRetryAttempts: 1 })
  for await (const change of stream) yield change
}

if (import.meta.main)
  for await (const { topic, mailboxId } of changes(connect(), new AbortController().signal))
    console.log(mailboxId ? `${topic} of mailbox ${mailboxId}` : topic)
