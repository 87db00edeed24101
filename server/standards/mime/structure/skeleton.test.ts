import { expect, test } from 'vitest'
import { aBrokenMail } from '#test-world/real-mail/broken-mail.ts'
import { mailsWithFiles } from '#test-world/real-mail/files.ts'
import { chanceOf } from '#test-world/trials/seeded.ts'
import { openAttachments, openMessage } from '../../reading/opened-message.ts'
import { decodeTransfer } from '../transfer-encoding.ts'
import { readStructure } from './read-structure.ts'
import { skeletonOf } from './skeleton.ts'

const allOf = async (raw: Buffer) => {
  const { attachments } = await openMessage(raw)
  return (
    (await openAttachments(
      raw,
      attachments.map(({ n }) => n),
    )) ?? []
  )
}

/** The files, found by the skeleton; null where it does not tell of all. */
const byStructure = async (raw: Buffer) => {
  const skeleton = await skeletonOf(readStructure(raw).part, 1_000_000, async ({ start, end }) =>
    raw.subarray(start, end),
  )
  if (skeleton === null) return null
  const files = await allOf(skeleton.raw)
  return files.map((file) => {
    const part = skeleton.partOf(file.content)
    const isUnknown = file.content.length > 0 && part === undefined
    const isHidden = file.contentType === 'message/rfc822' && part?.message === undefined
    if (part === undefined || isHidden) return { ...file, isUnknown: isUnknown || isHidden }
    const content = decodeTransfer(raw.subarray(part.body, part.end), part.encoding ?? '')
    return { ...file, content, isUnknown: false }
  })
}

const plain = (files: readonly { filename: string; contentType: string; content: Uint8Array }[]) =>
  files.map(({ filename, contentType, content }) => [
    filename,
    contentType,
    Buffer.from(content).toString('latin1'),
  ])

test.each(mailsWithFiles.map(({ name, raw }) => [name, raw] as const))(
  'the files of %s are found without their bytes',
  async (_name, raw) => {
    const found = (await byStructure(raw)) ?? []
    expect(found.some(({ isUnknown }) => isUnknown)).toBe(false)
    expect(plain(found)).toEqual(plain(await allOf(raw)))
  },
)

const SEEDS = Number(process.env.STRUCTURES ?? 200)

/** Web mail leaves out the last line ends of a part that was cut off; its bytes have them. */
const withoutLastLines = (files: ReturnType<typeof plain>) =>
  files.map(([filename, type, content = '']) => [filename, type, content.replace(/[\r\n]+$/, '')])

test(`a file that is found is the one that is shown (${SEEDS} broken mails)`, async () => {
  let compared = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    const raw = aBrokenMail(chanceOf(seed))
    const found = await byStructure(raw)
    if (found === null || found.some(({ isUnknown }) => isUnknown)) continue
    compared += 1
    const shown = withoutLastLines(plain(await allOf(raw)))
    expect(withoutLastLines(plain(found)), `seed ${seed}`).toEqual(shown)
  }
  expect(compared).toBeGreaterThan(SEEDS / 2)
})
