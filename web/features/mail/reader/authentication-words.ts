/** What the checks of a received message mean, in words. */
import type { Authentication } from '#contract/messages.ts'
import type { Tone } from '#web/ui/data/badge.tsx'

export type AuthenticationWords = { tone: Tone; title: string; details: string }

export function authenticationWords(
  { spf, dkim, dmarc }: Authentication,
  fromAddress: string,
): AuthenticationWords {
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1) || 'the sender'
  if (dmarc === 'pass')
    return {
      tone: 'good',
      title: 'Verified sender',
      details: `This message really comes from ${domain}.`,
    }
  if (dmarc === 'fail')
    return {
      tone: 'bad',
      title: 'Sender not genuine',
      details: `${domain} says that its messages can be verified, and this one could not. Be careful with links and attachments.`,
    }
  if (spf === 'fail' || spf === 'softfail')
    return {
      tone: 'warn',
      title: 'Sender unclear',
      details: `The server that sent this is not one that ${domain} lists.`,
    }
  if ([spf, dkim, dmarc].includes('temperror'))
    return {
      tone: 'neutral',
      title: 'Sender not checked',
      details: `The records of ${domain} could not be read when this message came in.`,
    }
  if (dkim === 'pass' || spf === 'pass')
    return {
      tone: 'neutral',
      title: 'Partly verified',
      details: `The message is signed or comes from a listed server, but ${domain} has no DMARC record that ties this to its name.`,
    }
  return {
    tone: 'neutral',
    title: 'Sender not verified',
    details: `${domain} publishes nothing by which its messages can be verified.`,
  }
}
