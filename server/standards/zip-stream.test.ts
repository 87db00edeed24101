import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readZip } from '#test-world/read-zip.ts'
import { type FileSums, type StreamedFile, zipStream } from './zip-stream.ts'

const at = new Date('2026-11-27T12:00:00Z')

async function* of(...files: StreamedFile[]): AsyncGenerator<StreamedFile> {
  yield* files
}

const zipped = async (...files: StreamedFile[]): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(zipStream(of(...files), at)))

test('what is packed is found by its directory, with names, lengths and sums', async () => {
  const noise = randomBytes(300_000)
  let sums: FileSums | undefined
  const zip = await zipped(
    { name: 'lists/Übersicht.txt', content: [Buffer.from('Grü'), Buffer.from('ße')] },
    {
      name: 'noise',
      content: [noise.subarray(0, 7), noise.subarray(7)],
      onEnd: (given) => {
        sums = given
      },
    },
    { name: 'empty', content: [] },
  )
  const files = readZip(zip)
  expect([...files.keys()]).toEqual(['lists/Übersicht.txt', 'noise', 'empty'])
  expect(String(files.get('lists/Übersicht.txt'))).toBe('Grüße')
  expect(files.get('noise')?.equals(noise)).toBe(true)
  expect(files.get('empty')).toHaveLength(0)
  expect(sums).toEqual({
    bytes: noise.length,
    sha256: createHash('sha256').update(noise).digest('hex'),
  })
})

test('a file that breaks off ends the archive with its error', async () => {
  const broken = async function* () {
    yield Buffer.from('a')
    throw new Error('the disk is gone')
  }
  await expect(zipped({ name: 'a', content: broken() })).rejects.toThrow('the disk is gone')
})

test('an archive that nobody reads on ends what it reads', async () => {
  let isEnded = false
  const endless = async function* () {
    try {
      for (;;) yield randomBytes(100_000)
    } finally {
      isEnded = true
    }
  }
  for await (const piece of zipStream(of({ name: 'a', content: endless() }), at))
    if (piece.length > 1_000) break
  await expect.poll(() => isEnded).toBe(true)
})
