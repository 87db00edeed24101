/** A mailbox with aliases, one of them as long as one can be, and a domain with a catch-all. */
import type { Account } from '#test-world/trials/account.ts'

const LOCAL_PARTS = [
  'the-office-of-the-principal-secretary-for-all-the-correspondence',
  'countess',
  'a',
]

export const fillAddresses = async (
  { ask }: Account,
  mailboxId: string,
  domain: { _id: string; name: string },
): Promise<void> => {
  for (const local of LOCAL_PARTS)
    await ask('POST', `/mailboxes/${mailboxId}/aliases`, { email: `${local}@${domain.name}` })
  await ask('PUT', `/domains/${domain._id}/catch-all`, { mailboxId })
}
