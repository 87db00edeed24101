/** The launcher's messages. A `Plain` error is a fault that the user can correct: only its text is shown. */
import { userInfo } from 'node:os'
import { root } from './paths.js'

export class Plain extends Error {}

export const say = (line) => process.stdout.write(`${line}\n`)

/** Ends the process: prints the sentence of a `Plain` error, or the whole of an unexpected one. */
export const endWith = (error) => {
  const plain = error instanceof Plain ? error : fileFault(error)
  process.stderr.write(`${plain ? plain.message : (error.stack ?? error)}\n`)
  process.exit(1)
}

/** The sentence for a folder that is not writable or a full disk, or null. */
export const fileFault = (error) => {
  const text = `${error.code ?? ''} ${error.message ?? ''}`
  if (/\b(EACCES|EPERM|EROFS)\b/.test(text))
    return new Plain(
      `Mailstead cannot write to its folder ${root} as the user ${nameOfUser()}.\n` +
        'Please start it as the owner of that folder, or give this user the right to write there.',
    )
  if (/\b(ENOSPC|EDQUOT)\b/.test(text))
    return new Plain(
      `The disk that holds ${root} is full. Please make room and run npm start again.`,
    )
  return null
}

const nameOfUser = () => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'that runs it')
  }
}
