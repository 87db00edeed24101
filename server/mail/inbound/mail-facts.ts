/** What the junk rules look at, gathered from the dialogue, the checks and the message. */
import { headerFactsOf } from '#server/standards/junk/header-facts.ts'
import type { MailFacts } from '#server/standards/junk/junk-rule.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { HeaderLine } from '#server/standards/message-lines.ts'
import type { Sender, Verdict } from './sender/verdict.ts'

type Reception = {
  envelope: Sender
  hasReverseName: boolean | null
  mailHost: string
  at: Date
}

export const mailFactsOf = (
  { authentication, dmarc }: Verdict,
  headers: readonly HeaderLine[],
  { from, subject, content }: MessageDigest,
  { envelope, hasReverseName, mailHost, at }: Reception,
): MailFacts => {
  const { mailFrom, helo, ip } = envelope
  // Who is vouched for did not fail, whatever we can see.
  const isVouched = dmarc?.outcome === 'vouched'
  return {
    checks: isVouched ? { spf: 'none', dkim: 'none', dmarc: 'pass' } : authentication,
    isQuarantined: dmarc?.policy === 'quarantine' && dmarc.outcome === 'fail',
    mailFrom,
    from,
    subject,
    header: headerFactsOf(headers),
    content,
    client: { helo, ip, hasReverseName },
    mailHost,
    at,
  }
}
