/** Where backups are kept: a folder, or a bucket of an object store. Objects are written and replaced whole. */
export type BackupPlace = {
  /** For people: without a password. */
  title: string
  /** null: there is no such object. */
  read(name: string): Promise<Buffer | null>
  /** Durable when it resolves. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** The names of all objects in this folder, in order. */
  list(folder: string): Promise<string[]>
  remove(name: string): Promise<void>
}
