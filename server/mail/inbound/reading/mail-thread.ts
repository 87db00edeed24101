/** The worker thread that parses and checks incoming mail. It opens no connections: the main thread makes its DNS look-ups. */
import { openCache, remembered } from '#server/lib/cache.ts'
import { serveJobs } from '#server/lib/threads/serve-jobs.ts'
import { type Answer, mailJobs, type Question } from './mail-jobs.ts'

// DNS reports failures as errors, and their stacks would cost more than the look-up.
Error.stackTraceLimit = 0

/** The limit of one mail. SPF alone may need dozens of hosts; a mail that needs more attacks name servers. */
const MAX_LOOK_UPS = 60

/** Many mails ask the same; a question to the main thread costs both threads as much as finding the words of a short mail. */
const answers = openCache<Promise<Answer>>({ most: 1_000, keepMs: 2_000 })

serveJobs<Question, Answer>((ask) => {
  let asked = 0
  return mailJobs(async (name, type) => {
    if (++asked > MAX_LOOK_UPS) throw dnsError('ESERVFAIL', 'one mail asks too much of DNS')
    const key = `${type} ${name.toLowerCase()}`
    const answer = await remembered(answers, key, () => ask({ name, type }))
    if ('records' in answer) return answer.records as string[]
    throw dnsError(answer.code, answer.message)
  })
})

const dnsError = (code: string, message: string) => Object.assign(new Error(message), { code })
