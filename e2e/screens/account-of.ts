import type { Account } from '#test-world/trials/account.ts'
import type { Person } from '../specification/setting.ts'

/** As the builders by the front door take it. */
export const accountOf = ({ call, email }: Person): Account => ({
  email,
  call,
  ask: async (method, path, body) => {
    const answer = await call(method, path, body)
    if (answer.status < 300) return answer.body
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  },
  bytes: () => Promise.reject(new Error('not needed')),
  logIn: () => Promise.resolve(),
})
