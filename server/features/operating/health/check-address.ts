/** MAIL_HOST in DNS: its addresses, and the names to which these lead back. */
import { valuesOf } from '#server/dns/verdict.ts'
import { isPublicAddress } from '#server/lib/network-guard.ts'
import { isSameAddress, reverseNameOf } from '#server/standards/reverse-name.ts'
import {
  type Check,
  type Finding,
  good,
  type HealthApp,
  record,
  unknown,
  wrong,
} from './finding.ts'
import { addressesOfHost, sendingAddresses } from './own-addresses.ts'

const MOST_NAMES = 3
const NO_ANSWER = 'Look at DNS_SERVERS, and check again.'

export const checkAddress: Check = async (app) => {
  const { mailHost, mailIps, allowLoopbackPeers } = app.config
  const there = await addressesOfHost(app, mailHost)
  if (there === null)
    return [unknown(`DNS gave no answer about the addresses of ${mailHost}.`, NO_ANSWER)]
  const [ours = null] = mailIps
  if (there.length === 0)
    return [
      wrong(
        `${mailHost} has no address in DNS, so no mail can come to it.`,
        'Publish its address.',
        addressRecord(mailHost, ours ?? 'the public address of this machine'),
      ),
    ]
  const strays = mailIps.filter((ip) => !there.some((each) => isSameAddress(each, ip)))
  const inside = there.filter((ip) => !isPublicAddress(ip) && !allowLoopbackPeers)
  const faults = [
    ...strays.map((ip) =>
      wrong(
        `Mail is sent from ${ip}, but ${mailHost} leads to ${there.join(', ')}.`,
        'Publish this address, too, or correct MAIL_IPS.',
        addressRecord(mailHost, ip),
      ),
    ),
    ...inside.map((ip) =>
      wrong(
        `${mailHost} leads to ${ip}, which is no address of the public Internet.`,
        'Publish the public address of this machine instead.',
        addressRecord(mailHost, ours ?? 'the public address of this machine'),
      ),
    ),
  ]
  return faults.length > 0 ? faults : [good(`${mailHost} leads to ${there.join(', ')}.`)]
}

const addressRecord = (name: string, ip: string) =>
  record(name, ip.includes(':') ? 'AAAA' : 'A', ip)

export const checkReverseNames: Check = async (app) => {
  const addresses = await sendingAddresses(app)
  if (addresses === null || addresses.length === 0)
    return [unknown('It is not known which addresses send mail.', 'Set MAIL_IPS.')]
  return Promise.all(addresses.map((ip) => checkReverseName(app, ip)))
}

/** Other servers ask for both ways: the name of the address, and whether it leads back to the address. */
const checkReverseName = async (app: HealthApp, ip: string): Promise<Finding> => {
  const { mailHost } = app.config
  const remedy = record(reverseNameOf(ip), 'PTR', mailHost)
  const mending = `Whoever gave you the address sets its reverse name to ${mailHost}.`
  const names = valuesOf(await app.dns.lookUp(reverseNameOf(ip), 'PTR'))
  if (names === null)
    return unknown(`DNS gave no answer about the reverse name of ${ip}.`, NO_ANSWER)
  if (names.length === 0)
    return wrong(`${ip} has no reverse name, so other servers refuse its mail.`, mending, remedy)
  const asked = names.slice(0, MOST_NAMES).map(plainName)
  const back = await Promise.all(asked.map((name) => addressesOfHost(app, name)))
  const isBack = (at: number) => back[at]?.some((each) => isSameAddress(each, ip)) === true
  const [first = ''] = asked.filter((_, at) => isBack(at))
  if (asked.some((name, at) => name === mailHost && isBack(at)))
    return good(`${ip} is named ${mailHost}, which leads back to it.`)
  if (first !== '')
    return wrong(
      `${ip} is named ${first}, and not ${mailHost}: some servers refuse its mail.`,
      mending,
      remedy,
    )
  if (back.includes(null))
    return unknown(
      `DNS gave no answer about ${asked.join(', ')}, the reverse name of ${ip}.`,
      NO_ANSWER,
    )
  return wrong(
    `${ip} is named ${asked.join(', ')}, which does not lead back to it, so other servers refuse its mail.`,
    asked.includes(mailHost) ? `Publish the address of ${mailHost}.` : mending,
    asked.includes(mailHost) ? addressRecord(mailHost, ip) : remedy,
  )
}

const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '')
