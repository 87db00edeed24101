/** PUBLIC_URL as a browser finds it: its name, its certificate, and whether it is we who answer. */
import { DAY_MS } from '#server/lib/clock.ts'
import { isDialable } from '#server/lib/network-guard.ts'
import { askWeb, type WebAnswer } from './ask-web.ts'
import {
  type Check,
  type Finding,
  good,
  type HealthApp,
  record,
  setting,
  unknown,
  wrong,
} from './finding.ts'
import { addressesOfHost, isOnThisMachine } from './own-addresses.ts'

const ANSWER_MS = 6_000
/** Whoever renews has failed for long by then. */
const SOON_DAYS = 7

export const checkWeb: Check = async (app) => {
  const { publicUrl, mailIps } = app.config
  const url = new URL('/healthz', publicUrl)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const there = await addressesOfHost(app, name)
  if (there === null)
    return [unknown(`DNS gave no answer about the addresses of ${name}.`, 'Look at DNS_SERVERS.')]
  if (there.length === 0)
    return [
      wrong(
        `${name} has no address in DNS, so nobody opens ${publicUrl}.`,
        'Publish the address of this machine, or of the proxy before it.',
        record(name, 'A', mailIps[0] ?? 'the public address of this machine'),
      ),
    ]
  const found = (await Promise.all(there.map((ip) => checkPlace(app, url, ip)))).flat()
  const faults = found.filter(({ state }) => state !== 'good')
  // Where several addresses have the same fault, it is told once.
  const different = new Map(faults.map((fault) => [fault.says, fault]))
  return faults.length > 0 ? [...different.values()] : found.slice(0, 1)
}

const checkPlace = async (app: HealthApp, url: URL, ip: string): Promise<Finding[]> => {
  if (!isDialable(ip, app.config.allowLoopbackPeers))
    return [
      unknown(`${url.hostname} leads to ${ip}, which is no public address, so it is not tried.`),
    ]
  const answer = await askWeb(url, ip, ANSWER_MS)
  return typeof answer === 'string' ? [unreachable(app, ip, answer)] : judge(app, answer)
}

const unreachable = ({ config }: HealthApp, ip: string, reason: string): Finding => {
  const { publicUrl } = config
  if (!isOnThisMachine(ip))
    return unknown(
      `${publicUrl} (${ip}) cannot be reached from this machine: ${reason}.`,
      'Behind a router this may be no fault: open it from another network.',
    )
  return wrong(
    `${publicUrl} (${ip}) cannot be reached: ${reason}.`,
    'Let Mailstead listen there, or the proxy that leads to it, and open the port in the firewall.',
    setting('HTTPS_PORT=443', 'HTTP_PORT=80'),
  )
}

const judge = (
  { config, clock }: HealthApp,
  { status, body, certificate }: WebAnswer,
): Finding[] => {
  const { publicUrl, allowLoopbackPeers } = config
  const days =
    certificate && Math.floor((certificate.validTo.getTime() - clock.now().getTime()) / DAY_MS)
  const answers =
    status === 200 && body.includes('"ready"')
      ? []
      : [
          status === 503 && body.includes('"parts"')
            ? wrong(
                `${publicUrl} answers that a part of it is not ready: ${body}`,
                'The log of that process says why.',
              )
            : wrong(
                `Something else answers at ${publicUrl}: ${status} at /healthz.`,
                'Correct PUBLIC_URL, or the proxy that is to lead here.',
              ),
        ]
  if (certificate === null && !allowLoopbackPeers)
    answers.push(
      wrong(
        `${publicUrl} has no encryption, so passwords can be read on their way.`,
        'Use an address with https.',
        setting(`PUBLIC_URL=${publicUrl.replace(/^http:/, 'https:')}`),
      ),
    )
  if (certificate?.trouble != null)
    answers.push(
      wrong(
        `Browsers warn of the certificate of ${publicUrl}: ${certificate.trouble}.`,
        'Let Mailstead get one itself, or renew that of the proxy.',
        setting('HTTPS_PORT=443', 'HTTP_PORT=80', 'ACME=on'),
      ),
    )
  else if (days !== null && days < SOON_DAYS)
    answers.push(
      wrong(
        `The certificate of ${publicUrl} runs out in ${counted(days)}.`,
        'Renew it, and find out why that did not happen by itself.',
      ),
    )
  if (answers.length > 0) return answers
  const until = days === null ? '' : `, with a certificate for ${counted(days)} more`
  return [good(`${publicUrl} answers${until}.`)]
}

const counted = (days: number): string => (days === 1 ? 'a day' : `${days} days`)
