/**
 * A message while it arrives: in memory while it is small, then in a nameless file that disappears with the process. Memory never
 * runs out: without memory, a message goes to disk sooner.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { checkRoomOn } from '#server/lib/files/data-folder.ts'

export type Pots = {
  /** The folder of messages that are too large for memory. */
  folder: string
  memory: SharedPot
  disk: SharedPot
}

/**
 * Shares a number of bytes among simultaneous holders. A party (a network, a workspace) may hold at most `timesFree` times the
 * bytes that are free. With 1, a single party gets half of all; a hundred greedy parties get equal shares, and a new party finds
 * as much as each of them.
 */
export type Party = { kind: 'network' | 'workspace'; name: string; timesFree: number }

export type SharedPot = {
  /** Takes the bytes for all parties, or for none of them: then returns the party that has reached its share. */
  take(parties: readonly Party[], bytes: number): Party | null
  give(parties: readonly Party[], bytes: number): void
  /** More than half of the bytes are in use. */
  isScarce(): boolean
}

export const openSharedPot = (limitBytes: number): SharedPot => {
  const heldBy = new Map<string, number>()
  let held = 0
  return {
    take: (parties, bytes) => {
      const free = limitBytes - held
      const greedy = parties.find(
        ({ name, timesFree }) => bytes > free || (heldBy.get(name) ?? 0) + bytes > timesFree * free,
      )
      if (greedy !== undefined) return greedy
      held += bytes
      for (const { name } of parties) heldBy.set(name, (heldBy.get(name) ?? 0) + bytes)
      return null
    },
    give: (parties, bytes) => {
      held -= bytes
      for (const { name } of parties) {
        const rest = (heldBy.get(name) ?? 0) - bytes
        if (rest > 0) heldBy.set(name, rest)
        else heldBy.delete(name)
      }
    },
    isScarce: () => held > limitBytes / 2,
  }
}

export type HeldMail = {
  /** Returns the party that has reached its share; then nothing of the message is held. @throws ENOSPC */
  add(chunk: Buffer): Promise<Party | null>
  isInFile(): boolean
  /** The whole message. */
  read(): Promise<Buffer>
  drop(): Promise<void>
}

/** Almost all mail is smaller. */
const IN_MEMORY_BYTES = 256_000
/** The same reserve as for blobs (decision 032). */
const LEFT_ON_DISK_BYTES = 100_000_000
const LOOK_AT_DISK_BYTES = 1_000_000

/** Removes files of a process that was killed between creating and unlinking a file. */
export const clearHeldMail = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true })

export const holdMail = (pots: Pots, parties: readonly Party[]): HeldMail => {
  let chunks: Buffer[] = []
  let inMemory = 0
  let inFile = 0
  let file: FileHandle | null = null
  let isDropped = false

  const forgetMemory = () => {
    pots.memory.give(parties, inMemory)
    inMemory = 0
    chunks = []
  }
  const drop = async () => {
    isDropped = true
    forgetMemory()
    pots.disk.give(parties, inFile)
    inFile = 0
    const closing = file
    file = null
    await closing?.close()
  }
  const write = async (bytes: Buffer): Promise<Party | null> => {
    const greedy = pots.disk.take(parties, bytes.length)
    if (greedy !== null) {
      await drop()
      return greedy
    }
    const before = inFile
    inFile += bytes.length
    if (before === 0 || inFile % LOOK_AT_DISK_BYTES < bytes.length) await checkDisk(pots.folder)
    file ??= await openNameless(pots.folder)
    await writeAll(file, bytes)
    return null
  }
  return {
    add: async (chunk) => {
      if (isDropped) return null
      const fits = inFile === 0 && inMemory + chunk.length <= IN_MEMORY_BYTES
      if (fits && pots.memory.take(parties, chunk.length) === null) {
        inMemory += chunk.length
        chunks.push(chunk)
        return null
      }
      const all = inMemory === 0 ? chunk : Buffer.concat([...chunks, chunk])
      forgetMemory()
      return write(all)
    },
    isInFile: () => inFile > 0,
    read: async () => {
      if (file !== null) return readAll(file, inFile)
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, inMemory)
    },
    drop,
  }
}

/** @throws ENOSPC */
const checkDisk = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await checkRoomOn(folder, LEFT_ON_DISK_BYTES)
}

const openNameless = async (folder: string): Promise<FileHandle> => {
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  // Another starting process may have removed it already.
  await unlink(path).catch(() => {})
  return file
}

const writeAll = async (file: FileHandle, bytes: Buffer): Promise<void> => {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
}

const readAll = async (file: FileHandle, size: number): Promise<Buffer> => {
  const whole = Buffer.allocUnsafe(size)
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(whole, at, size - at, at)
    if (bytesRead === 0) throw new Error('a message that was written to the disk is cut short')
    at += bytesRead
  }
  return whole
}
