/** Connects to the PostgreSQL that runs on the cluster of a folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from './postgres-owner.ts'

export const connectionIn = (folder: string) => ({
  host: (
    readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
  ).trim(),
  user: 'mailstead',
  password: readFileSync(join(folder, 'database-password'), 'utf8').trim(),
  database: 'postgres',
})

export const isAnsweringIn = async (folder: string): Promise<boolean> => {
  try {
    return (await ask(connectionIn(folder), 'select 1')).length === 1
  } catch {
    return false
  }
}
