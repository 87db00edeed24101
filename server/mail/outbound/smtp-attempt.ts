/** One conversation with one host, told as an attempt of the ledger. */
import type { SocketAddress } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'

export type Timeouts = { connectMs: number; greetingMs: number; idleMs: number }

/** RFC 5321 §4.5.3.2, shortened where a host that takes longer is as good as away. */
export const usualTimeouts: Timeouts = {
  connectMs: 30_000,
  greetingMs: 60_000,
  idleMs: 300_000,
}

export type Destination = {
  /** The name: for TLS and the ledger. */
  host: string
  /** What is dialled: an address that was checked, or the relay's name. */
  dialled: Pick<SocketAddress, 'address' | 'port'>
  /** TLS from the first byte. */
  isSecure: boolean
  tls: 'opportunistic' | 'required'
  auth: { user: string; pass: string } | null
}

export type Mail = { ehlo: string; mailFrom: string; recipient: string; raw: Buffer }

/** `isAboutHost`: it never came to the mail itself, so another host may be asked. */
export type Told = Attempt & { isAboutHost: boolean }

export const attemptSmtp = async (
  to: Destination,
  mail: Mail,
  timeouts: Timeouts,
): Promise<Told> => {
  const first = await converse(to, mail, timeouts, false)
  // Opportunistic encryption that fails is no reason to keep mail from a host that also takes it plain (RFC 7435).
  return first === 'tls-failed' ? told(await converse(to, mail, timeouts, true), to) : first
}

const told = (result: Told | 'tls-failed', to: Destination): Told =>
  result === 'tls-failed'
    ? {
        outcome: 'deferred',
        host: to.host,
        ip: to.dialled.address,
        isTls: false,
        code: null,
        reply: 'TLS could not be started',
        isAboutHost: true,
      }
    : result

const converse = (
  to: Destination,
  mail: Mail,
  timeouts: Timeouts,
  isPlain: boolean,
): Promise<Told | 'tls-failed'> =>
  new Promise((resolve) => {
    const connection = new SMTPConnection(optionsFor(to, mail, timeouts, isPlain))
    let isTransaction = false
    let isDone = false
    const isTls = () => connection.secure
    const end = (result: Told | 'tls-failed') => {
      if (isDone) return
      isDone = true
      resolve(result)
    }
    const said = (code: number | null, reply: string, outcome: Attempt['outcome']) =>
      end({
        outcome,
        host: to.host,
        ip: to.dialled.address,
        isTls: isTls(),
        code,
        reply,
        isAboutHost: !isTransaction,
      })
    const failed = (error: SmtpError) => {
      const isTlsTrouble = connection.upgrading === true || error.code === 'ETLS'
      connection.close()
      const { responseCode: code } = error
      if (isTlsTrouble && to.tls === 'opportunistic' && !isPlain) end('tls-failed')
      else
        said(
          code ?? null,
          typeof error.response === 'string' ? error.response : error.message,
          // A greeting or EHLO that refuses says nothing about this mail.
          isTransaction && code !== undefined && code >= 500 ? 'failed' : 'deferred',
        )
    }
    connection.on('error', failed)
    const send = () => {
      isTransaction = true
      connection.send(envelopeOf(mail), mail.raw, (error, info) => {
        if (error) return failed(error)
        said(Number(info?.response.slice(0, 3)) || 250, info?.response ?? '', 'delivered')
        connection.quit()
      })
    }
    connection.connect((error) => {
      if (error) return failed(error)
      if (to.auth === null) return send()
      connection.login(to.auth, (refused) => (refused ? failed(refused) : send()))
    })
  })

type SmtpError = Error & {
  code?: string | undefined
  responseCode?: number | undefined
  response?: unknown
}

const optionsFor = (to: Destination, mail: Mail, timeouts: Timeouts, isPlain: boolean) => {
  const isOpportunistic = to.tls === 'opportunistic'
  const tls: ConnectionOptions = {
    // An MX proves its name to nobody: a certificate that fails is still better than none.
    rejectUnauthorized: !isOpportunistic,
    servername: to.host,
  }
  return {
    host: to.dialled.address,
    port: to.dialled.port,
    servername: to.host,
    name: mail.ehlo,
    secure: to.isSecure,
    requireTLS: !isOpportunistic && !to.isSecure,
    opportunisticTLS: isOpportunistic,
    ignoreTLS: isPlain,
    tls,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.idleMs,
  }
}

const envelopeOf = ({ mailFrom, recipient, raw }: Mail) => ({
  from: mailFrom,
  to: [recipient],
  size: raw.length,
  use8BitMime: raw.some((byte) => byte > 127),
})
