/**
 * Rules about the sender. A missing fact adds no points. All authentication failures together stay below the threshold, because
 * forwarders and careless senders fail them too.
 */
import { DAY_MS } from '#server/lib/clock.ts'
import { domainOf } from '../address.ts'
import { type MailFacts, organisationOf, type Rule } from './junk-rule.ts'

export const senderRules: readonly Rule[] = [
  {
    name: 'dmarc-quarantine',
    points: 6,
    finds: ({ isQuarantined, from }) =>
      isQuarantined
        ? `${domainOf(from?.address ?? '')} asks to put mail aside that cannot be verified as its own, and this one could not be (DMARC)`
        : null,
  },
  {
    name: 'dmarc-failed',
    points: 1.5,
    finds: ({ checks, isQuarantined, from }) =>
      checks.dmarc === 'fail' && !isQuarantined
        ? `It could not be verified that it comes from ${domainOf(from?.address ?? '')} (DMARC)`
        : null,
  },
  {
    name: 'spf-failed',
    points: 1.5,
    finds: (facts) => spfWords(facts, 'fail'),
  },
  {
    name: 'spf-doubtful',
    points: 0.5,
    finds: (facts) => spfWords(facts, 'softfail'),
  },
  {
    name: 'name-of-another',
    points: 2.5,
    finds: ({ from }) => {
      const shown = /[^\s<>"',;:()]{1,64}@([a-z0-9.-]{1,253}\.[a-z]{2,24})/i.exec(from?.name ?? '')
      const [address = '', domain = ''] = shown ?? []
      return address !== '' && differs(domain, domainOf(from?.address ?? ''))
        ? `Its sender shows the name ${address}, but writes from ${from?.address}`
        : null
    },
  },
  {
    name: 'no-sender',
    points: 1,
    finds: ({ from }) => (domainOf(from?.address ?? '') === '' ? 'It names no sender' : null),
  },
  {
    name: 'answers-elsewhere',
    points: 1,
    finds: ({ header, from }) => {
      const other = header.replyDomains.find((domain) =>
        differs(domain, domainOf(from?.address ?? '')),
      )
      return other && !header.isBulk ? `An answer would go to another domain, ${other}` : null
    },
  },
  {
    name: 'our-name',
    points: 2.5,
    finds: ({ client, mailHost }) =>
      client.helo.toLowerCase() === mailHost
        ? 'The server that sent it called itself by the name of this one'
        : null,
  },
  {
    name: 'nameless-server',
    points: 0.5,
    finds: ({ client }) =>
      /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\.?$/i.test(client.helo) && !/^[\d.]+$/.test(client.helo)
        ? null
        : 'The server that sent it did not give its name',
  },
  {
    name: 'no-reverse-name',
    points: 1,
    finds: ({ client }) =>
      client.hasReverseName === false
        ? `The address that it was sent from, ${client.ip}, has no name of its own in DNS`
        : null,
  },
  {
    name: 'wrong-date',
    points: 1,
    finds: ({ header, at }) => {
      const ageMs = header.date === null ? 0 : at.getTime() - header.date.getTime()
      if (ageMs > 30 * DAY_MS) return 'Its date is more than a month ago'
      return ageMs < -2 * DAY_MS ? 'Its date is in the future' : null
    },
  },
  {
    name: 'hasty-header',
    points: 0.5,
    finds: ({ header }) =>
      header.date === null || !header.hasMessageId
        ? 'It has no date or no identifier, which mail programs always write'
        : null,
  },
]

const differs = (one: string, other: string): boolean =>
  organisationOf(one.toLowerCase()) !== organisationOf(other)

/** Not when DMARC passed through DKIM. */
const spfWords = ({ checks, mailFrom, client }: MailFacts, result: string): string | null =>
  checks.spf === result && checks.dmarc !== 'pass'
    ? `The server that sent it is none of those that ${domainOf(mailFrom) || client.helo} lists (SPF)`
    : null
