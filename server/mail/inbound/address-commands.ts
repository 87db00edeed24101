/**
 * smtp-server splits MAIL and RCPT at the first space, so it refuses a quoted local part with a space, accepts unterminated
 * quotes, and refuses the longest valid address. This module parses the path itself and leaves the parameters to the library.
 * Loading it patches the library for the whole process; it fails at start when a new version has moved the parser.
 */
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import { parseSmtpPath } from '#server/standards/smtp-path.ts'

type Parsed = { address: string; args: unknown; duplicate?: string }
type Parser = { _parseAddressCommand(name: string, command: string): Parsed | false }

const parser = SMTPConnection.prototype as unknown as Parser
const parse = parser._parseAddressCommand
if (typeof parse !== 'function')
  throw new Error('this version of smtp-server has another parser of addresses')

parser._parseAddressCommand = function withOwnPath(this: Parser, name, command) {
  const [, verb = '', text = ''] = /^([^:]*):\s*(.*)$/s.exec(command) ?? []
  const path = parseSmtpPath(text)
  if (path === null || (path.rest !== '' && !/^\s/.test(path.rest))) return false
  const isAlone = path.address !== '' && !path.address.includes('@')
  if (isAlone && !/^rcpt/i.test(name)) return false
  const parsed = parse.call(this, name, `${verb}:<>${path.rest}`)
  return parsed === false ? false : { ...parsed, address: path.address }
}
