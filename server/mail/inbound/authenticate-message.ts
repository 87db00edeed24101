/** Who really sent it: SPF, DKIM, DMARC and ARC. The verdict is recorded and never decides whether mail is taken. */
import type { AuthenticateResult } from 'mailauth'
import type { Authentication } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { type HeaderLine, lineFaultIn } from '#server/standards/message-lines.ts'
import { answerCache } from './answer-cache.ts'

export type Sender = { mailFrom: string; helo: string; ip: string }
export type Verdict = { authentication: Authentication; headers: string }

const TIME_CAP_MS = 8_000
/** Nobody writes fields like that, and mailauth takes the square of their length to read one. */
const MAX_FOLDS = 1_000
const wideGap = /\s{1000}/

export const authenticateMessage = async (
  app: App,
  raw: Buffer,
  headers: readonly HeaderLine[],
  sender: Sender,
): Promise<Verdict> => {
  if (headers.some(({ line }) => wideGap.test(line) || line.split('\r\n').length > MAX_FOLDS))
    return undecided(app)
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), TIME_CAP_MS)
  })
  try {
    const result = await Promise.race([examine(app, raw, sender), tooLate])
    return result === null ? undecided(app) : verdictOf(app, result)
  } catch (error) {
    app.log.warn({ err: error }, 'a message could not be authenticated')
    return undecided(app)
  } finally {
    clearTimeout(timer)
  }
}

const examine = async (app: App, raw: Buffer, sender: Sender): Promise<AuthenticateResult> => {
  // Loaded with the first message: it is large, and most processes start without needing it.
  const { authenticate } = await import('mailauth')
  return authenticate(raw, {
    ip: sender.ip,
    helo: sender.helo,
    sender: sender.mailFrom,
    mta: app.config.mailHost,
    resolver: answerCache(app),
    disableBimi: true,
  })
}

const verdictOf = (app: App, result: AuthenticateResult): Verdict => {
  const headers = result.headers
  if (lineFaultIn(Buffer.from(headers), 10_000) !== null || !headers.endsWith('\r\n'))
    return undecided(app)
  return {
    headers,
    authentication: {
      spf: result.spf ? result.spf.status.result : 'none',
      dkim: dkimOf(result),
      dmarc: result.dmarc ? result.dmarc.status.result : 'none',
      arc: result.arc ? result.arc.status.result : 'none',
    },
  }
}

/** One good signature is enough. A body that was changed is 'neutral' to mailauth: to a reader it failed. */
const dkimOf = ({ dkim }: AuthenticateResult): string => {
  const results = dkim.results.map(({ status, bodyHash, bodyHashExpecting }) =>
    status.result === 'neutral' && bodyHash !== bodyHashExpecting ? 'fail' : status.result,
  )
  return results.includes('pass') ? 'pass' : (results[0] ?? 'none')
}

const undecided = (app: App): Verdict => ({
  headers: [
    `Authentication-Results: ${app.config.mailHost};`,
    ' spf=temperror; dkim=temperror; dmarc=temperror\r\n',
  ].join('\r\n'),
  authentication: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'none' },
})
