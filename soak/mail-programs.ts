/** npm run soak -- programs 1000: the mail programs alone, with so many mails (500 by default). */
import { aProduct, ELSEWHERE, NO_BRAKES } from '#test-world/product.ts'
import { aMailboxAt, anAccount, anActiveDomain } from '#test-world/trials/account.ts'
import { tryMailPrograms } from './try-mail-programs.ts'

const count = Number(process.argv[2] ?? 500)
if (!Number.isSafeInteger(count) || count <= 0) throw new Error('how many mails?')
const product = await aProduct({ BILLING: 'off', ...NO_BRAKES })
const account = await anAccount(product, `ada@${ELSEWHERE}`)
const domain = await anActiveDomain(product, account, 'soak.example')
const mailbox = await aMailboxAt(account, domain, 'programs')
const { faults } = await tryMailPrograms(product, account, mailbox, count)
await product.close()
console.log(faults.length === 0 ? 'every program worked' : 'not every program worked')
process.exitCode = faults.length === 0 ? 0 : 1
