/** The worker thread that parses and checks incoming mail. It opens no connections: the main thread makes its DNS look-ups. */
import { serveJobs } from '#server/lib/threads/serve-jobs.ts'
import { type Answer, mailJobs, type Question } from './mail-jobs.ts'

// DNS reports failures as errors, and their stacks would cost more than the look-up.
Error.stackTraceLimit = 0

/** The limit of one mail. SPF alone may need dozens of hosts; a mail that needs more attacks name servers. */
const MAX_LOOK_UPS = 60

serveJobs<Question, Answer>((ask) => {
  let asked = 0
  return mailJobs(async (name, type) => {
    if (++asked > MAX_LOOK_UPS) throw dnsError('ESERVFAIL', 'one mail asks too much of DNS')
    const answer = await ask({ name, type })
    if ('records' in answer) return answer.records as string[]
    throw dnsError(answer.code, answer.message)
  })
})

const dnsError = (code: string, message: string) => Object.assign(new Error(message), { code })
