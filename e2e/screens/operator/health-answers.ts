/** Two installations: one that lacks much, and one that lacks nothing. */
import {
  checkTitles,
  type Health,
  type HealthCheck,
  type HealthFinding,
} from '#contract/operator/health.ts'

const HOST = 'mail.koeniglich-preussische-porzellan-manufaktur.example'
const key = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'.repeat(8)
const none = { mending: '', remedy: null }

const wrong: HealthFinding[] = [
  {
    ...{ check: 'reverse-name', state: 'wrong' },
    says: `203.0.113.25 is named static.25.113.0.203.clients.your-server.example, and not ${HOST}: some servers refuse its mail.`,
    mending: `Whoever gave you the address sets its reverse name to ${HOST}.`,
    remedy: { kind: 'record', name: '25.113.0.203.in-addr.arpa', type: 'PTR', value: HOST },
  },
  {
    ...{ check: 'records', state: 'wrong' },
    says: 'The DKIM record is missing.',
    mending: 'Publish this record.',
    remedy: {
      ...{ kind: 'record', name: `mailstead._domainkey.${HOST}`, type: 'TXT' },
      value: `v=DKIM1; k=rsa; p=${key}`,
    },
  },
  {
    ...{ check: 'port-in', state: 'wrong' },
    says: 'Nothing answers at port 25 of 203.0.113.25, so no mail can come.',
    mending: 'Let Mailstead listen there, and open the port in the firewall.',
    remedy: { kind: 'setting', text: 'SMTP_PORT=25\nMAIL_LISTEN=0.0.0.0' },
  },
  {
    ...{ check: 'block-lists', state: 'wrong' },
    says: '203.0.113.25 is on the block list zen.spamhaus.org, so many servers refuse its mail.',
    mending: 'Find out why, end it, and ask there to be taken off.',
    remedy: { kind: 'page', text: 'https://check.spamhaus.org/results/?query=203.0.113.25' },
  },
  {
    ...{ check: 'clock', state: 'wrong' },
    says: 'The clock is 7 minutes behind that of others, which breaks certificates and sign-ins.',
    mending: 'Let the machine keep its time by NTP.',
    remedy: { kind: 'command', text: 'timedatectl set-ntp true' },
  },
]

const unknown: HealthFinding[] = [
  {
    ...{ check: 'web', state: 'unknown' },
    says: `https://${HOST} (203.0.113.25) cannot be reached from this machine: no answer in time.`,
    mending: 'Behind a router this may be no fault: open it from another network.',
    remedy: null,
  },
]

const goodBut = (others: readonly HealthFinding[]): HealthFinding[] =>
  (Object.keys(checkTitles) as HealthCheck[])
    .filter((check) => others.every((each) => each.check !== check))
    .map((check) => ({ check, state: 'good', says: `${HOST} leads to 203.0.113.25.`, ...none }))

const checkedAt = '2026-11-20T12:00:00.000Z'
const faults = [...wrong, ...unknown]

export const sickHealth: Health = { checkedAt, items: [...faults, ...goodBut(faults)] }
export const goodHealth: Health = { checkedAt, items: goodBut([]) }
