/** All mail programs that nobody here wrote: those that read by IMAP, and Thunderbird, which sets itself up. */
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Product } from '#test-world/product.ts'
import type { Account } from '#test-world/trials/account.ts'
import { tryImapPrograms } from '#test-world/trials/peers/imap-programs.ts'
import { tryThunderbird } from '#test-world/trials/peers/thunderbird.ts'

/** `carried`: mails; `steps`: what Thunderbird did. */
type ProgramsTrial = { carried: number; steps: string[]; faults: string[] }

/** Prints what was done and what went wrong. */
export const tryMailPrograms = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
  count: number,
): Promise<ProgramsTrial> => {
  const { carried, faults } = await tryImapPrograms(product, account, mailbox, count)
  console.log(
    `mails carried by mbsync and offlineimap, and partly by getmail and fetchmail: ${carried}`,
  )
  const thunderbird = await tryThunderbird()
  console.log(`in Thunderbird: ${thunderbird.steps.join('; ')}`)
  const all = [...faults, ...thunderbird.faults]
  for (const fault of all) console.log(`  ${fault}`)
  return { carried, steps: thunderbird.steps, faults: all }
}
