import { compose, type Mail } from '#server/features/auth/accounts/mail-templates.ts'

type Content = { senderEmail: string; domainName: string; link: string; expiresAt: Date }

/**
 * Goes to people who may never have heard of us, at the wish of a member. Who asks is named by the address that they have
 * proven, and nothing but the name of the domain is what anybody typed.
 */
export const linkMail = ({ senderEmail, domainName, link, expiresAt }: Content): Mail =>
  compose({
    subject: `DNS records to publish for ${domainName}`,
    greeting: 'Hello,',
    before: [
      `${senderEmail} asks you to publish the DNS records that let ${domainName} send and receive mail.`,
      'The page behind this link lists them, shows what stands in DNS right now, and says what to mend. You need no account.',
    ],
    button: { label: 'Open the records', link },
    after: [
      `The link works until ${dayOf(expiresAt)}. Whoever has it can open the page, so pass it on only to people who run this DNS.`,
      'If you do not know who this is, ignore this mail.',
    ],
  })

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const dayOf = (date: Date): string => days.format(date)
