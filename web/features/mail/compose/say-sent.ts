import { undoSend } from '#contract/mail/writing.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'
import { undo } from './send.ts'
import { passing } from './trouble.ts'
import type { Sent } from './use-sending.ts'

/** While it waits on the server the toast can take it back; `bringBack` gets the draft that it is again. */
export function sayThatItIsSent(
  mailboxId: string,
  { key, undoSeconds }: Sent,
  bringBack: (messageId: string) => void,
): void {
  if (undoSeconds === 0) {
    toast({ title: 'Message sent', variant: 'success' })
    return
  }
  toast({
    ...{ title: 'Message sent', variant: 'success', durationMs: undoSeconds * 1000 },
    action: { label: 'Undo', run: () => void takeBack(mailboxId, key, bringBack) },
  })
}

async function takeBack(
  mailboxId: string,
  key: string,
  bringBack: (messageId: string) => void,
): Promise<void> {
  try {
    const { state, messageId } = await undo(mailboxId, key, true)
    if (state === 'sent')
      toast({ title: 'Too late to undo', description: 'The message is on its way already.' })
    else if (messageId !== null) bringBack(messageId)
    await readAgain(queryClient, undoSend)
  } catch (error) {
    const description =
      passing(error)?.why === 'offline'
        ? 'There was no connection. The message is sent.'
        : messageOf(error)
    toast({ title: 'It could not be undone', description, variant: 'error' })
  }
}
