import { expect, test } from 'vitest'
import { isProgram, likelyProgram, type Program, programIds, programs } from './programs.ts'

const server = {
  host: 'mail.host.example',
  fingerprint: null,
  ...{ imapsPort: 2993, imapPort: 2143, submissionsPort: 2465, submissionPort: 2587 },
}
const email = 'ada@customer.example'

test.each(programIds)('the steps of %s name the address, and by hand the servers too', (id) => {
  const program: Program = programs[id]
  const text = program.steps({ email, server }).join('\n')
  expect(text).toContain('password')
  expect(text).toContain(`\`${email}\``)
  if (!program.takesProfile)
    for (const part of ['`mail.host.example`', '`2993`', '`2465`', '*SSL/TLS*'])
      expect(text).toContain(part)
  // Each mark has its partner.
  for (const mark of ['*', '`']) expect(text.split(mark).length % 2, mark).toBe(1)
})

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'iphone'],
  ['Mozilla/5.0 (Linux; Android 15) SamsungBrowser/27.0', 'samsung'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'gmail'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'mac'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'outlook'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'thunderbird'],
])('%s opens %s', (userAgent, program) => {
  expect(likelyProgram(userAgent)).toBe(program)
})

test('a program in the URL is one of ours', () => {
  expect(['iphone', 'toString', 'x', null].map(isProgram)).toEqual([true, false, false, false])
})
