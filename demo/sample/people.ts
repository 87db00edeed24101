/** The members of the sample workspace, and names for the mailboxes of its clients. */
import type { Role } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { saveCompany } from '#server/features/workspaces/company-profile.ts'
import { newId } from '#server/lib/ids.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { OWN_DOMAIN } from './domain-plan.ts'
import { QUOTA_BYTES } from './figures.ts'

export const PASSWORD = 'Fernhill-Demo-26!'

const members = [
  { role: 'Admin', firstName: 'Nora', lastName: 'Fernhill', hoursAgo: 2 },
  { role: 'Editor', firstName: 'Mateo', lastName: 'Alvarez', hoursAgo: 26 },
  { role: 'User', firstName: 'Wanda', lastName: 'Kowalska', hoursAgo: 200 },
] as const satisfies { role: Role; firstName: string; lastName: string; hoursAgo: number }[]

export const emailOf = ({ firstName }: { firstName: string }): string =>
  `${firstName.toLowerCase()}@${OWN_DOMAIN}`

export type Team = { admin: Who; editor: Who; emails: Record<Role, string> }

/** Three users who can sign in, and their workspace. */
export const seedTeam = async (app: App, startedAt: Date): Promise<Team> => {
  const passwordHash = await hashPassword(PASSWORD)
  const users = await Promise.all(
    members.map(async (member) => {
      const { firstName, lastName, hoursAgo, role } = member
      const lastLoginAt = new Date(app.clock.now().getTime() - hoursAgo * 3_600_000)
      const user = await aUser(app, {
        ...{ firstName, lastName, passwordHash, lastLoginAt },
        email: emailOf(member),
        verifiedAt: startedAt,
        createdAt: startedAt,
      })
      return { user, role }
    }),
  )
  const workspace = await aWorkspace(app, {
    name: 'Fernhill Studio',
    storageQuotaBytes: QUOTA_BYTES,
    createdAt: startedAt,
    members: users,
  })
  const memberWith = (wanted: Role): Who => ({
    userId: users.find(({ role }) => role === wanted)?.user.id ?? '',
    sessionId: newId(),
    workspaceId: workspace.id,
    role: wanted,
    ip: '127.0.0.1',
  })
  const [admin, editor, user] = members.map(emailOf) as [string, string, string]
  return {
    admin: memberWith('Admin'),
    editor: memberWith('Editor'),
    emails: { Admin: admin, Editor: editor, User: user },
  }
}

export const seedCompany = (app: App, admin: Who) =>
  saveCompany(app, admin, {
    ...{ name: 'Fernhill Studio', vatId: 'GB 365 4627 36' },
    ...{ website: `https://${OWN_DOMAIN}`, phone: '+44 20 7946 0321' },
    ...{ address: '27 Fernhill Road, Walthamstow', zipCode: 'E17 4PX', city: 'London' },
    ...{ country: 'uk', timeZone: 'gmt', timeFormat: '24h' },
  })

const firstNames = [
  ...['Astrid', 'Björn', 'Camille', 'Dmitri', 'Eleanor', 'Farah', 'Gustav', 'Hannah', 'Ibrahim'],
  ...['Joanna', 'Kenji', 'Lucía', 'Marcus', 'Nadia', 'Oliver', 'Priya', 'Quentin', 'Rosalind'],
  ...['Søren', 'Tamara', 'Ursula', 'Viktor', 'Winona', 'Xavier', 'Yasmin', 'Zoltan', 'Amelie'],
]
const lastNames = [
  ...['Holmgren', 'Alvarez', 'Beaumont', 'Castellano', 'Drăgulescu', 'Eriksen', 'Fitzgerald'],
  ...['Grünwald', 'Hernández', 'Iwasaki', 'Johansson', 'Kowalczyk', 'Lefèvre', 'Mahmoud'],
  ...['Nakamura', 'Okonkwo', 'Petrova', 'Quigley', 'Rasmussen', 'Silveira', 'Takahashi'],
  ...['Underwood', 'Vasquez', 'Whitfield', 'Yamamoto', 'Zimmermann'],
]

/** Always the same names, each only once. */
export const personAt = (n: number): { firstName: string; lastName: string } => ({
  firstName: firstNames[n % firstNames.length] ?? '',
  lastName: lastNames[(n * 7 + Math.floor(n / firstNames.length)) % lastNames.length] ?? '',
})
