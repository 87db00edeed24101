import { expect, test } from 'vitest'
import { alertMail } from './mail-alerts.ts'

const told = (n: number, given: object = {}) => ({
  domainId: `id${n}`,
  domainName: `d${n}.example`,
  purpose: 'spf' as const,
  type: 'TXT' as const,
  name: `d${n}.example`,
  value: 'v=spf1 ip4:192.0.2.25 ~all',
  priority: null,
  found: ['v=spf1 -all'],
  explanation: `The SPF record of d${n}.example does not let us send.`,
  fix: 'Change the TXT record to the value shown.',
  ...given,
})
const publicUrl = 'https://mail.example'

test('a hundred domains fit one mail, ten told of and twenty named', () => {
  const failing = Array.from({ length: 100 }, (_, n) => told(n))
  const { subject, text, html, link } = alertMail({ failing, mended: [], publicUrl })
  expect(subject).toBe('DNS of 100 domains needs attention')
  expect(text.match(/The SPF record of d\d+\.example: /g)).toHaveLength(10)
  expect(text).toContain('of d10.example, d11.example')
  expect(text).toContain('d29.example and 70 more.')
  expect(link).toBe('https://mail.example/dashboard/domains')
  expect(html.length).toBeLessThan(30_000)
})

test('what fails and what is right again stand in one mail', () => {
  const mended = [told(2), told(3)]
  const { subject, text } = alertMail({ failing: [told(1)], mended, publicUrl })
  expect(subject).toBe('DNS of d1.example needs attention')
  expect(text).toContain(
    'These are right again: the SPF record of d2.example, the SPF record of d3.example.',
  )
  expect(alertMail({ failing: [], mended: [told(2)], publicUrl }).subject).toBe(
    'DNS of d2.example is right again',
  )
})

test('what a stranger wrote into DNS becomes no link and no markup, and a Unicode name is readable', () => {
  const found = ['Pay at https://evil.example/now <b onclick=x>', 'x'.repeat(5000)]
  const { subject, text, html } = alertMail({
    failing: [told(1, { domainName: 'xn--bcher-kva.example', found, explanation: found[0] })],
    mended: [],
    publicUrl,
  })
  expect(subject).toBe('DNS of bücher.example needs attention')
  for (const body of [text, html]) expect(body).not.toContain('evil.example')
  expect(html).toContain('Pay at (a link) &lt;b onclick=x&gt;')
  expect(text.length).toBeLessThan(2500)
})
