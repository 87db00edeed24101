import { setTimeout as wait } from 'node:timers/promises'
import { S3mini } from 's3mini'
import { reasonOf, StartError } from '#server/lib/ports/bound-ports.ts'
import type { BackupPlace } from './place.ts'

/** A bucket may be away for a moment. */
const TRIES = 5
const FIRST_WAIT_MS = 200

/**
 * Backups in a bucket: `s3://KEY:SECRET@HOST[:PORT]/BUCKET[/FOLDER][?region=...][&tls=off]`. A key or secret with other characters
 * than letters and digits is percent-encoded, as in every URL.
 */
export const s3Place = (text: string): BackupPlace => {
  const url = new URL(text)
  const [, bucket = '', ...folders] = url.pathname.split('/')
  const folder = folders.filter(Boolean).join('/')
  if (bucket === '' || url.username === '' || url.password === '')
    throw new StartError(
      'A bucket is named like this: s3://KEY:SECRET@HOST:PORT/BUCKET?region=us-east-1',
    )
  const scheme = url.searchParams.get('tls') === 'off' ? 'http' : 'https'
  const client = new S3mini({
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    endpoint: `${scheme}://${url.host}/${bucket}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
  })
  const keyOf = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const nameOf = (key: string) => (folder === '' ? key : key.slice(folder.length + 1))
  const title = `s3://${url.host}/${[bucket, ...folders].filter(Boolean).join('/')}`
  return {
    title,
    read: (name) =>
      again(title, async () => {
        const bytes = await client.getObjectArrayBuffer(keyOf(name))
        return bytes === null ? null : Buffer.from(bytes)
      }),
    write: (name, bytes) =>
      again(title, async () => {
        await client.putObject(
          keyOf(name),
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        )
      }),
    list: (inside) =>
      again(title, async () => {
        const found = (await client.listObjects('/', keyOf(`${inside}/`))) ?? []
        return found.map(({ Key }) => nameOf(Key)).toSorted()
      }),
    remove: (name) =>
      again(title, async () => {
        await client.deleteObject(keyOf(name))
      }),
  }
}

/** @throws StartError with what the store said */
const again = async <T>(title: string, act: () => Promise<T>): Promise<T> => {
  for (let tries = 1, waitMs = FIRST_WAIT_MS; ; tries++, waitMs *= 3) {
    try {
      return await act()
    } catch (error) {
      if (tries === TRIES || isRefused(error))
        throw new StartError(`The backup place ${title} cannot be used: ${reasonOf(error)}.`)
      await wait(waitMs)
    }
  }
}

/** Another try would be refused as well. */
const isRefused = (error: unknown): boolean =>
  /\b(400|401|403|404)\b/.test(reasonOf(error)) || (error as { status?: number }).status === 403
