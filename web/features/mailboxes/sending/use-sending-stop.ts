import { listSendingStops, type SendingStop } from '#contract/mail/sending.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'

/** What stopped the sending of a mailbox; all rows share one call. */
export function useSendingStop(mailboxId: string): SendingStop | undefined {
  const maySee = useMay('see-mailboxes')
  const { data } = useApi(listSendingStops, {}, { enabled: maySee })
  return data?.find((stop) => stop.mailboxId === mailboxId)
}
