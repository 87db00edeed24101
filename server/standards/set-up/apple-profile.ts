/**
 * A configuration profile for Mail on iPhone, iPad and Mac (Apple's payload com.apple.mail.managed). It has no password, so the
 * device asks for it.
 */
import { createHash } from 'node:crypto'
import type { MailServer } from './mail-server.ts'
import { xmlText } from './xml-text.ts'

type Plain = string | number | boolean

/** `address`: in lower case. The same address gives the same ids, so a profile that is installed again replaces the first. */
export const appleProfile = (address: string, server: MailServer): string => {
  const { host } = server
  const account: Record<string, Plain> = {
    PayloadType: 'com.apple.mail.managed',
    PayloadVersion: 1,
    PayloadIdentifier: `${reversed(host)}.mail.${idOf(address)}`,
    PayloadUUID: uuidOf(`account ${host} ${address}`),
    PayloadDisplayName: address,
    EmailAccountDescription: address,
    EmailAccountType: 'EmailTypeIMAP',
    EmailAddress: address,
    ...signIn('Incoming', host, server.imapsPort, address),
    ...signIn('Outgoing', host, server.submissionsPort, address),
    OutgoingPasswordSameAsIncomingPassword: true,
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...entries({
      PayloadType: 'Configuration',
      PayloadVersion: 1,
      PayloadIdentifier: `${reversed(host)}.profile.${idOf(address)}`,
      PayloadUUID: uuidOf(`profile ${host} ${address}`),
      PayloadDisplayName: `Mail of ${address}`,
      PayloadDescription: `Sets up Mail for ${address}. Use an app password when it asks for the password.`,
      PayloadOrganization: server.name,
      PayloadRemovalDisallowed: false,
    }),
    '<key>PayloadContent</key>',
    '<array>',
    '<dict>',
    ...entries(account),
    '</dict>',
    '</array>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

const signIn = (
  way: 'Incoming' | 'Outgoing',
  host: string,
  port: number,
  address: string,
): Record<string, Plain> => ({
  [`${way}MailServerAuthentication`]: 'EmailAuthPassword',
  [`${way}MailServerHostName`]: host,
  [`${way}MailServerPortNumber`]: port,
  [`${way}MailServerUseSSL`]: true,
  [`${way}MailServerUsername`]: address,
})

const entries = (dict: Record<string, Plain>): string[] =>
  Object.entries(dict).map(([key, value]) => `<key>${key}</key>${valueXml(value)}`)

const valueXml = (value: Plain): string => {
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  return typeof value === 'number'
    ? `<integer>${value}</integer>`
    : `<string>${xmlText(value)}</string>`
}

/** 'mail.example.com' as 'com.example.mail', as identifiers begin by custom. */
const reversed = (host: string): string => host.split('.').reverse().join('.')

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const idOf = (address: string): string => digest(address).slice(0, 16)

/** In the form of RFC 9562 version 8. */
const uuidOf = (text: string): string =>
  digest(text)
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-a$4-$5')
    .toUpperCase()
