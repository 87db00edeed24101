/**
 * The file by which Thunderbird and its relatives set an account up (draft-ietf-mailmaint-autoconfig). It names no address: the
 * program puts the one that was typed in place of %EMAILADDRESS%. Methods are listed in the order of preference.
 */
import type { MailServer } from './mail-server.ts'
import { xmlText } from './xml-text.ts'

/** `domain`: of the address, in A-labels. */
export const autoconfigXml = (domain: string, server: MailServer): string => {
  const { host, imapsPort, imapPort, submissionsPort, submissionPort } = server
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<clientConfig version="1.1">',
    `  <emailProvider id="${xmlText(domain)}">`,
    `    <domain>${xmlText(domain)}</domain>`,
    `    <displayName>${xmlText(server.name)}</displayName>`,
    `    <displayShortName>${xmlText(server.name)}</displayShortName>`,
    ...serverXml('incomingServer', 'imap', host, imapsPort, 'SSL'),
    ...serverXml('incomingServer', 'imap', host, imapPort, 'STARTTLS'),
    ...serverXml('outgoingServer', 'smtp', host, submissionsPort, 'SSL'),
    ...serverXml('outgoingServer', 'smtp', host, submissionPort, 'STARTTLS'),
    `    <documentation url="${xmlText(server.helpUrl)}">`,
    '      <descr lang="en">How to set up a mail program, and get an app password</descr>',
    '    </documentation>',
    '  </emailProvider>',
    '  <webMail>',
    `    <loginPage url="${xmlText(server.webMailUrl)}"/>`,
    '  </webMail>',
    '</clientConfig>',
    '',
  ].join('\n')
}

const serverXml = (
  element: 'incomingServer' | 'outgoingServer',
  type: 'imap' | 'smtp',
  host: string,
  port: number,
  socketType: 'SSL' | 'STARTTLS',
): string[] => [
  `    <${element} type="${type}">`,
  `      <hostname>${xmlText(host)}</hostname>`,
  `      <port>${port}</port>`,
  `      <socketType>${socketType}</socketType>`,
  '      <username>%EMAILADDRESS%</username>',
  // Over TLS alone; the name of the draft for PLAIN and LOGIN.
  '      <authentication>password-cleartext</authentication>',
  `    </${element}>`,
]
