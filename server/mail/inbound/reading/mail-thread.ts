/** The thread on which mail that comes in is read. It dials nobody: what it asks of DNS, it asks the thread that began it. */
import { serveJobs } from '#server/lib/shared-thread/serve-jobs.ts'
import { type Resolver, rememberAnswers } from '../sender/answer-cache.ts'
import { type MailJobs, mailJobs } from './mail-jobs.ts'

/** `dns`: whose answers count, of the apps in this process. */
type By = { dns: number; mailHost: string }
export type MailJob = {
  [Name in keyof MailJobs]: { do: Name } & By & Parameters<MailJobs[Name]>[0]
}[keyof MailJobs]
export type MailResult = ReturnType<MailJobs[keyof MailJobs]>

export type Question = { dns: number; name: string; type: string }
/** An error keeps no code on its way between threads. */
export type Answer = { records: unknown[] } | { code: string; message: string }

// DNS says no with errors, and their stacks would cost more than the question.
Error.stackTraceLimit = 0
const resolvers = new Map<number, Resolver>()

/** Of one mail. SPF alone may name dozens of hosts; what needs more was made to keep name servers busy. */
const MAX_LOOK_UPS = 60

const atMost = (most: number, resolver: Resolver): Resolver => {
  let asked = 0
  return async (name, type) => {
    if (++asked <= most) return resolver(name, type)
    throw Object.assign(new Error('one mail asks too much of DNS'), { code: 'ESERVFAIL' })
  }
}

serveJobs<MailJob, MailResult, Question, Answer>((job, ask) => {
  const { dns, mailHost } = job
  const resolver =
    resolvers.get(dns) ??
    rememberAnswers(async (name, type) => {
      const answer = await ask({ dns, name, type })
      if ('records' in answer) return answer.records
      throw Object.assign(new Error(answer.message), { code: answer.code })
    })
  resolvers.set(dns, resolver)
  const work = mailJobs(mailHost, atMost(MAX_LOOK_UPS, resolver))[job.do] as (
    given: MailJob,
  ) => Promise<MailResult>
  return work(job)
})
