import { expect, test } from 'vitest'
import { explainListenError } from './bound-ports.ts'

const taken = Object.assign(new Error('taken'), { code: 'EADDRINUSE' })
const said = (portSetting: string, port: number): string => {
  const at = { portSetting, hostSetting: 'MAIL_LISTEN', port, host: '0.0.0.0' }
  return (explainListenError(taken, at) as Error).message
}

test('port 25 that is taken has to be freed; another one may be chosen', () => {
  expect(said('SMTP_PORT', 25)).toContain('often Postfix or Exim, which Debian starts by itself')
  expect(said('SMTP_PORT', 2525)).toContain('Please choose another with SMTP_PORT.')
  expect(said('IMAPS_PORT', 993)).toContain('Please choose another with IMAPS_PORT.')
})
