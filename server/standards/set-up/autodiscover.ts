/**
 * Microsoft's Autodiscover in its old XML (POX) and its JSON, with IMAP and SMTP alone: a program that is offered Exchange tries
 * it first and fails. The request is hostile text and is never parsed as XML: two bounded patterns find what is needed.
 */
import { parseAddress } from '../address.ts'
import type { MailServer } from './mail-server.ts'
import { xmlText } from './xml-text.ts'

const REQUESTED = /<(?:[A-Za-z_][\w.-]{0,30}:)?EMailAddress>[ \t\r\n]{0,100}([^<> \t\r\n]{3,300})/i
const SCHEMA = /<(?:[A-Za-z_][\w.-]{0,30}:)?AcceptableResponseSchema>([^<>]{0,300})</i

export type AutodiscoverRequest = {
  /** In lower case; null: there is none. */
  address: string | null
  /** An answer in the schema of Outlook is understood; others are of ActiveSync. */
  isForMail: boolean
}

export const readAutodiscover = (body: string): AutodiscoverRequest => {
  const written = REQUESTED.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const schema = SCHEMA.exec(body)?.[1] ?? ''
  return {
    address: parseAddress(written)?.address ?? null,
    isForMail: schema === '' || schema.includes('/outlook/responseschema/'),
  }
}

const OUTER = 'http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006'
const INNER = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a'

export const autodiscoverXml = (address: string, server: MailServer): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<Autodiscover xmlns="${OUTER}">`,
    `  <Response xmlns="${INNER}">`,
    '    <User>',
    `      <DisplayName>${xmlText(address)}</DisplayName>`,
    '    </User>',
    '    <Account>',
    '      <AccountType>email</AccountType>',
    '      <Action>settings</Action>',
    ...protocolXml('IMAP', server.host, server.imapsPort, address),
    ...protocolXml('SMTP', server.host, server.submissionsPort, address),
    '    </Account>',
    '  </Response>',
    '</Autodiscover>',
    '',
  ].join('\n')

const protocolXml = (type: 'IMAP' | 'SMTP', host: string, port: number, address: string) => [
  '      <Protocol>',
  `        <Type>${type}</Type>`,
  `        <Server>${xmlText(host)}</Server>`,
  `        <Port>${port}</Port>`,
  '        <DomainRequired>off</DomainRequired>',
  `        <LoginName>${xmlText(address)}</LoginName>`,
  '        <SPA>off</SPA>',
  '        <SSL>on</SSL>',
  '        <Encryption>SSL</Encryption>',
  '        <AuthRequired>on</AuthRequired>',
  ...(type === 'SMTP'
    ? ['        <UsePOPAuth>on</UsePOPAuth>', '        <SMTPLast>off</SMTPLast>']
    : []),
  '      </Protocol>',
]

/** 600: the request has no address; 601: nothing that was asked for is served. */
export const autodiscoverRefusal = (code: 600 | 601, at: Date): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<Autodiscover xmlns="${OUTER}">`,
    '  <Response>',
    `    <Error Time="${at.toISOString().slice(11, 23)}" Id="0">`,
    `      <ErrorCode>${code}</ErrorCode>`,
    `      <Message>${code === 600 ? 'Invalid Request' : 'Provider is not available'}</Message>`,
    '      <DebugData />',
    '    </Error>',
    '  </Response>',
    '</Autodiscover>',
    '',
  ].join('\n')
