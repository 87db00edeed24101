/** The product with a mailbox for each kind of measurement, and the app passwords of their programs. */
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { freePort } from '#test-world/free-port.ts'
import { aFolder, logIn, seed, startProduct } from '../product.ts'
import { anAdmin, EMAIL, PASSWORD } from '../sample.ts'

export type Account = { port: number; login: string; password: string }

export type Served = Account & {
  /** Of its first process, and the folder in the command lines of others that belong to it. */
  pid: number
  folder: string
  /** Many programs idle in many mailboxes. */
  ofIdle(n: number): Account
}

const IDLE_MAILBOXES = 20

export const withImapProduct = async <T>(use: (served: Served) => Promise<T>): Promise<T> => {
  const { dataDir, remove } = aFolder()
  const mailboxes: Mailbox[] = []
  try {
    await seed(dataDir, async (world) => {
      const { user, workspace } = await anAdmin(world)
      const at = { workspaceId: workspace.id, name: 'small.example', active: true }
      const domain = await aDomain(world, at)
      for (let n = 0; n <= IDLE_MAILBOXES; n++) {
        const mailbox = await aMailbox(world, { domain, localPart: `ada${n}` })
        await letRead(world, mailbox, user.id)
        mailboxes.push(mailbox)
      }
    })
    const port = await freePort()
    const product = await startProduct(dataDir, { IMAPS_PORT: String(port) })
    try {
      const token = await logIn(product.url, EMAIL, PASSWORD)
      const accounts: Account[] = []
      for (const { id, email } of mailboxes) {
        const password = await anAppPassword(product.url, token, id)
        accounts.push({ port, login: email, password })
      }
      const [first, ...others] = accounts
      if (first === undefined) throw new Error('there is no mailbox')
      const ofIdle = (n: number) => others[n % others.length] ?? first
      return await use({ ...first, pid: product.pid, folder: dataDir, ofIdle })
    } finally {
      await product.stop()
    }
  } finally {
    remove()
  }
}

export const anAppPassword = async (
  url: string,
  token: string,
  mailboxId: string,
): Promise<string> => {
  const response = await fetch(`${url}/api/v1/mailboxes/${mailboxId}/app-passwords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', scopes: ['imap'] }),
  })
  const answer = (await response.json()) as { password: string }
  return answer.password
}
