import { expect, test } from 'vitest'
import { discoverDmarc } from './dmarc-record.ts'

const none = 'v=DMARC1; p=none'
const reject = 'v=DMARC1; p=reject'

const discover = async (domain: string, records: Record<string, string[] | 'failed'>) => {
  const asked: string[] = []
  const found = await discoverDmarc(domain, async (name) => {
    asked.push(name)
    const values = records[name]
    if (values === 'failed') return { outcome: 'failed' }
    return values ? { outcome: 'found', values } : { outcome: 'none' }
  })
  return { found, asked }
}

test('the own record comes first, and ends the walk', async () => {
  const { found, asked } = await discover('a.example.com', {
    '_dmarc.a.example.com': ['unrelated', none],
    '_dmarc.example.com': [reject],
  })
  expect(found).toEqual({ name: '_dmarc.a.example.com', text: none })
  expect(asked).toEqual(['_dmarc.a.example.com'])
})

test.each([
  ["the organisation's", { '_dmarc.example.com': [reject] }, '_dmarc.example.com'],
  [
    'the one highest up',
    { '_dmarc.b.example.com': [none], '_dmarc.example.com': [reject] },
    '_dmarc.example.com',
  ],
  [
    'below a public suffix with a record (psd=y)',
    { '_dmarc.example.com': [reject], '_dmarc.com': [`${none}; psd=y`] },
    '_dmarc.example.com',
  ],
  ['that of the public suffix itself', { '_dmarc.com': [`${none}; psd=y`] }, '_dmarc.com'],
  [
    'where the organisation says that it ends (psd=n)',
    { '_dmarc.b.example.com': [`${none}; psd=n`], '_dmarc.example.com': [reject] },
    '_dmarc.b.example.com',
  ],
  [
    'past several records at one name, which count as none',
    { '_dmarc.b.example.com': [none, reject], '_dmarc.example.com': [reject] },
    '_dmarc.example.com',
  ],
  [
    'past one that is not valid',
    { '_dmarc.b.example.com': ['v=DMARC1; p=all'], '_dmarc.example.com': [reject] },
    '_dmarc.example.com',
  ],
])('the policy of a.b.example.com is %s', async (_, records, name) => {
  const { found } = await discover('a.b.example.com', records as Record<string, string[]>)
  expect(found).toMatchObject({ name })
})

test('nothing found is nothing, and no answer is not nothing', async () => {
  expect((await discover('a.example.com', {})).found).toBeNull()
  expect((await discover('a.example.com', { '_dmarc.example.com': 'failed' })).found).toBe('failed')
})

test('a long name is not walked label by label', async () => {
  const { asked } = await discover('a.b.c.d.e.f.g.h.i.j.example.com', {})
  expect(asked).toHaveLength(8)
  expect(asked[1]).toBe('_dmarc.f.g.h.i.j.example.com')
  expect(asked.at(-1)).toBe('_dmarc.com')
})
