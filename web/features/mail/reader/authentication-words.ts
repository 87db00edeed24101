/** Explains the results of the SPF, DKIM and DMARC checks of a received message. */
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
      details: `${domain} says that its messages can be verified, but this one could not be. Be careful with links and attachments.`,
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
    details: `${domain} does not publish how to verify its messages.`,
  }
}

/** What one check found. Results are those of RFC 8601. */
export type CheckWords = { name: string; result: string; tone: Tone; says: string }

const tones: Record<string, Tone> = {
  ...{ pass: 'good', fail: 'bad', softfail: 'warn', permerror: 'warn', temperror: 'warn' },
}

const spfSays: Record<string, string> = {
  pass: 'The domain of the return address lists the server that sent this.',
  fail: 'The domain of the return address says that this server may not send for it.',
  softfail:
    'The domain of the return address says that this server should probably not send for it.',
  neutral: 'The domain of the return address says nothing about this server.',
}
const dkimSays: Record<string, string> = {
  pass: 'The message is signed, and it has not been changed since.',
  fail: 'The message is signed, but the signature does not match: something was changed on the way.',
}
const dmarcSays: Record<string, string> = {
  pass: 'The signature or the server belongs to the domain in From.',
  fail: 'Neither the signature nor the server belongs to the domain in From, although its policy says that one of them always does.',
}
const arcSays: Record<string, string> = {
  pass: 'Servers that forwarded this recorded what they found, and their chain is complete.',
  fail: 'The chain of servers that forwarded this is broken.',
}
const noRecord: Record<string, string> = {
  SPF: 'The domain of the return address publishes no list of its servers.',
  DKIM: 'The message is not signed.',
  DMARC: 'The domain in From publishes no policy for its messages.',
  ARC: 'No server on the way recorded what it found, which is usual.',
}
const checkFailed: Record<string, string> = {
  temperror: 'The records of the domain could not be read when the message came.',
  permerror: 'The record of the domain, or the signature, has a mistake.',
}

export const checkWords = ({ spf, dkim, dmarc, arc }: Authentication): CheckWords[] =>
  (
    [
      ['SPF', spf, spfSays],
      ['DKIM', dkim, dkimSays],
      ['DMARC', dmarc, dmarcSays],
      ['ARC', arc, arcSays],
    ] as const
  ).map(([name, result, says]) => ({
    ...{ name, result },
    tone: tones[result] ?? 'neutral',
    says: says[result] ?? checkFailed[result] ?? noRecord[name] ?? '',
  }))
