/** An installation at its usual ports, with certificates that came by themselves, and customers whose domains lead to it. */

import { HOST } from '../../../acme/acme-directory.ts'
import { ImapClient } from '../../../imap/imap-client.ts'
import { aProduct, ELSEWHERE, MAIL_HOST, NO_BRAKES, type Product } from '../../../product.ts'
import { aMailboxAt, anAccount, anActiveDomain } from '../../account.ts'
import { ourDirectory, type TrialDirectory } from '../../certificates/directories.ts'
import { serialShown } from '../../certificates/doors.ts'
import { untilSome } from './screen.ts'

const USUAL_PORTS = {
  ...{ DNS_PORT: '53', HTTPS_PORT: '443', HTTP_PORT: '80', SMTP_PORT: '25' },
  ...{ IMAPS_PORT: '993', IMAP_PORT: '143', SUBMISSIONS_PORT: '465', SUBMISSION_PORT: '587' },
}
/** Where programs ask that know the MX of a domain alone. */
export const FOR_MX = `autoconfig.${MAIL_HOST.slice(MAIL_HOST.indexOf('.') + 1)}`

/** With a mailbox, one of its app passwords, and a client that is signed in, to see what the server has. */
export type Customer = { email: string; password: string; client: ImapClient }

export type Installation = {
  product: Product
  /** The root of all certificates, in PEM. */
  root: string
  /** `isTold`: the domain says where it is by `autoconfig.`, else by its MX alone. */
  aCustomer(domain: string, isTold: boolean): Promise<Customer>
  close(): Promise<void>
}

/** In a network namespace of its own, as root. */
export const anInstallation = async (): Promise<Installation> => {
  const directories: TrialDirectory[] = []
  const settings = {
    ...{ PUBLIC_URL: `https://${MAIL_HOST}`, HOST: '127.0.0.1', MAIL_IPS: '127.0.0.1' },
    ...{ BILLING: 'off', ACME_EMAIL: 'operator@mailstead.example', ...NO_BRAKES, ...USUAL_PORTS },
  }
  const product = await aProduct(settings, async (dns) => {
    dns.zone(HOST)
    dns.set(HOST, 'A', ['127.0.0.1'])
    dns.set(FOR_MX, 'CNAME', [MAIL_HOST])
    const directory = await ourDirectory({ http: 80, tls: 443 })
    directories.push(directory)
    return { ACME_DIRECTORY: directory.url, ACME_CA: directory.caFile }
  })
  const root = directories[0]?.root ?? ''
  const account = await anAccount(product, `ada@${ELSEWHERE}`)
  const certificateOf = (name: string): Promise<string> =>
    untilSome(`a certificate of ${name}`, () =>
      serialShown({ port: 443, says: [] }, name, root).catch(() => null),
    )
  await certificateOf(FOR_MX)
  const clients: ImapClient[] = []
  return {
    ...{ product, root },
    aCustomer: async (name, isTold) => {
      const domain = await anActiveDomain(product, account, name)
      if (isTold) {
        product.dns.set(`autoconfig.${name}`, 'CNAME', [MAIL_HOST])
        await account.ask('GET', `/domains/${domain._id}/optional-records`)
        await account.ask('POST', `/dns-records/verify-dns/${domain._id}`)
        await certificateOf(`autoconfig.${name}`)
      }
      const { _id, email } = await aMailboxAt(account, domain, 'grace')
      const form = { name: 'Thunderbird', scopes: ['imap', 'smtp'] }
      const { password } = await account.ask('POST', `/mailboxes/${_id}/app-passwords`, form)
      const client = await ImapClient.connect(product.imapsPort)
      await client.until('* OK')
      await client.ok(`LOGIN ${email} ${password}`)
      clients.push(client)
      return { email, password, client }
    },
    close: async () => {
      for (const client of clients) client.close()
      await product.close()
      for (const directory of directories) await directory.close()
    },
  }
}
