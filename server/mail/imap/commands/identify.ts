/** ID (RFC 2971): who the program is, for the list of devices. */
import { noteProgram } from '#server/features/programs/note-use.ts'
import type { Session } from '../session.ts'
import type { Named } from '../wire/command.ts'

export const identify = async (session: Session, { fields }: Named<'ID'>): Promise<string> => {
  session.program = {
    name: fields.get('name') ?? null,
    version: fields.get('version') ?? null,
    os: fields.get('os') ?? null,
  }
  if (session.signIn !== null) await noteProgram(session.app, session.signIn, session.program)
  session.out.line('* ID ("name" "Mailstead")')
  return 'Told'
}
