import type { OperatedAccount } from '#contract/operator/accounts.ts'
import {
  endSessions,
  listAccounts,
  makeAdmin,
  makeResetLink,
  previewAdmin,
  resetFactor,
  showAccount,
} from '#server/features/operating/accounts.ts'
import {
  addOperator,
  listOperators,
  removeOperator,
} from '#server/features/operating/change-operators.ts'
import { makeOperatorLink } from '#server/features/operating/first-operator.ts'
import { findWorkspaceId } from '#server/features/operating/workspaces.ts'
import { type OperatorApp, TERMINAL } from '#server/features/operators/operators.ts'
import { actionTable } from './action-table.ts'
import type { Answer, Table } from './answers.ts'
import { confirmed } from './confirmed.ts'
import { readOptions } from './options.ts'
import type { Verb } from './verb.ts'

const MOST = 1_000

export const accountVerbs: Record<string, Verb> = {
  'user list': {
    takes: '[WORDS]',
    does: 'all accounts, or those with the words in the name or the address',
    words: [0, 1],
    run: async (app, q = '') => {
      const { items, nextCursor } = await listAccounts(app, {
        ...{ q, order: 'created', direction: 'down', limit: MOST },
      })
      return {
        head: ['name', 'address', 'kind', 'last sign-in', 'workspaces', 'id'],
        rows: items.map((each) => [
          ...[each.name, each.email, kindOf(each), each.lastLoginAt && new Date(each.lastLoginAt)],
          ...[each.workspaces.map(({ name, role }) => `${name} (${role})`).join(', '), each._id],
        ]),
        none: 'No account.',
        hasMore: nextCursor !== null,
      }
    },
  },
  'user show': {
    takes: 'ADDRESS|ID',
    does: 'one account: its workspaces, its mailboxes, who is signed in, and what operators did',
    words: [1, 1],
    run: (app, wanted = '') => shown(app, wanted),
  },
  'user reset-link': {
    takes: 'ADDRESS',
    does: 'a link that sets a new password, for a person whom no mail reaches',
    words: [1, 1],
    run: async (app, address = '') => {
      const { link, expiresAt } = await makeResetLink(app, TERMINAL, address)
      return `${link}\nIt works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')}Z. Whoever opens it has the account.`
    },
  },
  'user make-admin': {
    takes: 'ADDRESS WORKSPACE [--yes ADDRESS]',
    does: 'asks, and makes an account an Admin of a workspace, when its last Admin has gone',
    words: [2, 4],
    run: async (app, ...typed) => {
      const { words, options } = readOptions(typed, ['yes'], { mostWords: 2 })
      const [address = '', name = ''] = words
      const id = await findWorkspaceId(app.db, name)
      const lines = adminLines(await previewAdmin(app.db, address, id))
      await confirmed(app, { lines, name: address, yes: options.yes })
      const { email, workspace } = await makeAdmin(app, TERMINAL, address, id)
      return `${email} is an Admin of ${workspace}.`
    },
  },
  'user end-sessions': {
    takes: 'ADDRESS',
    does: 'signs a person out everywhere',
    words: [1, 1],
    run: async (app, address = '') =>
      `${await endSessions(app, TERMINAL, address)} is signed out everywhere. The password is as before.`,
  },
  'user reset-factor': {
    takes: 'ADDRESS',
    does: 'takes the second factors of a person who lost them, and signs the person out',
    words: [1, 1],
    run: async (app, address = '') =>
      `${await resetFactor(app, TERMINAL, address)} logs in with the password alone now, and is told by a mail.`,
  },
  'operator list': {
    takes: '',
    does: 'who operates this installation',
    words: [0, 0],
    run: async (app) => ({
      head: ['address', 'name', 'since', 'made by'],
      rows: (await listOperators(app)).map(({ email, name, madeAt, madeBy }) => [
        ...[email, name, madeAt, madeBy],
      ]),
      none: 'Nobody operates this installation yet.',
    }),
  },
  'operator link': {
    takes: '',
    does: "a link that makes an operator's account, once",
    words: [0, 0],
    run: (app) => makeOperatorLink(app, TERMINAL),
  },
  'operator add': {
    takes: 'ADDRESS',
    does: 'makes the owner of an account an operator',
    words: [1, 1],
    run: async (app, address = '') => {
      await addOperator(app, TERMINAL, address)
      return `${address} operates this installation.`
    },
  },
  'operator remove': {
    takes: 'ADDRESS',
    does: 'and takes it back',
    words: [1, 1],
    run: async (app, address = '') => {
      await removeOperator(app, TERMINAL, address)
      return `${address} does not operate this installation any more.`
    },
  },
}

/** What the role gives, before it is given. */
const adminLines = ({
  email,
  workspace,
  role,
  admins,
}: Awaited<ReturnType<typeof previewAdmin>>): string[] => [
  `This makes ${email} an Admin of ${workspace}${role === null ? ', where it is no member now' : `, where it is ${role === 'User' ? 'a' : 'an'} ${role} now`}.`,
  'An Admin sees its people, domains and invoices, gives everybody rights, also to read mail, and can export and delete all of it.',
  admins.length === 0 ? 'It has no Admin now.' : `Its Admins now: ${admins.join(', ')}.`,
]

const shown = async (app: OperatorApp, wanted: string): Promise<Answer> => {
  const account = await showAccount(app, wanted)
  const user: Table = {
    head: ['name', 'address', 'kind', 'made', 'last sign-in', 'browsers', 'id'],
    rows: [
      [
        ...[account.name, account.email, kindOf(account), new Date(account.createdAt)],
        ...[account.lastLoginAt && new Date(account.lastLoginAt), account.sessions, account._id],
      ],
    ],
    none: '',
  }
  const workspaces: Table = {
    head: ['workspace', 'role', 'id'],
    rows: account.workspaces.map(({ name, role, _id }) => [name, role, _id]),
    none: 'In no workspace.',
  }
  const mailboxes: Table = {
    head: ['mailbox', 'as'],
    rows: account.mailboxes.map(({ email, isHolder }) => [email, isHolder ? 'holder' : 'reader']),
    none: 'Reads no mailbox.',
  }
  return { parts: { user, workspaces, mailboxes, actions: actionTable(account.actions) } }
}

const kindOf = (account: OperatedAccount): string => {
  if (account.isHolder) return 'holder'
  if (account.verifiedAt === null) return 'not verified'
  return account.isOperator ? 'operator' : 'member'
}
