/**
 * The objects of a backup, compressed and encrypted with AES-256-GCM under the operator's key. The name of an object is
 * authenticated with it, so none can take the place of another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import type { BackupPlace } from './places/place.ts'

export type SealedPlace = {
  title: string
  /** Read back and compared before it resolves. @returns how many bytes it takes there */
  write(name: string, bytes: Uint8Array): Promise<number>
  /** @throws BackupDamaged */
  read(name: string): Promise<Buffer>
  list(folder: string): Promise<string[]>
  remove(name: string): Promise<void>
}

/** An object of a backup is missing, or is not what was written. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged'
  constructor(object: string, why: 'missing' | 'damaged') {
    super(`${object} of the backup is ${why}`)
  }
}

const FORMAT = 'mailstead-backup'
const MAGIC = Buffer.from('MSBACK01')
const IV_BYTES = 12
const TAG_BYTES = 16

/** 32 bytes in base64. @throws StartError */
export const keyOf = (text: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new StartError('BACKUP_KEY must be 32 bytes in base64.')
  return key
}

export const newKey = (): string => randomBytes(32).toString('base64')

/**
 * `mayBegin`: an empty place becomes one for backups with this key. @throws StartError when the place has no backups, or those of
 * another key
 */
export const openSealed = async (
  place: BackupPlace,
  key: Buffer,
  mayBegin: boolean,
): Promise<SealedPlace> => {
  const sealed = sealedPlace(place, key)
  const known = await place.read(FORMAT)
  if (known !== null) {
    if (opened(key, FORMAT, known) === null)
      throw new StartError(`BACKUP_KEY is not the key that the backups at ${place.title} have.`)
    return sealed
  }
  if (!mayBegin) throw new StartError(`There is no backup of Mailstead at ${place.title}.`)
  await sealed.write(FORMAT, Buffer.from('1'))
  return sealed
}

/** Whether the place is one for backups, of whatever key. */
export const hasBackups = async (place: BackupPlace): Promise<boolean> =>
  (await place.read(FORMAT)) !== null

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const sealedPlace = (place: BackupPlace, key: Buffer): SealedPlace => ({
  title: place.title,
  write: async (name, bytes) => {
    const object = closed(key, name, await compress(bytes))
    await place.write(name, object)
    if (!(await place.read(name))?.equals(object)) throw new BackupDamaged(name, 'damaged')
    return object.length
  },
  read: async (name) => {
    const object = await place.read(name)
    if (object === null) throw new BackupDamaged(name, 'missing')
    const bytes = opened(key, name, object)
    if (bytes === null) throw new BackupDamaged(name, 'damaged')
    return decompress(bytes)
  },
  list: (folder) => place.list(folder),
  remove: (name) => place.remove(name),
})

const closed = (key: Buffer, name: string, bytes: Buffer): Buffer => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
  return Buffer.concat([MAGIC, iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** null: damaged, or of another key or name. */
const opened = (key: Buffer, name: string, object: Buffer): Buffer | null => {
  const start = MAGIC.length + IV_BYTES
  const end = object.length - TAG_BYTES
  if (end < start || !object.subarray(0, MAGIC.length).equals(MAGIC)) return null
  const iv = object.subarray(MAGIC.length, start)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(name))
    .setAuthTag(object.subarray(end))
  try {
    return Buffer.concat([decipher.update(object.subarray(start, end)), decipher.final()])
  } catch {
    return null
  }
}
