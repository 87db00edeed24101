/** The certificate of the mail listeners: the operator's files, or a self-signed one for MAIL_HOST. */

import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '#server/lib/clock.ts'
import { reasonOf, StartError } from '../ports/bound-ports.ts'

/** Both in PEM. */
export type Certificate = { cert: string; key: string }

export type TlsFiles = {
  /** @throws StartError when the files cannot be used. */
  load(): Promise<Certificate>
  /**
   * Calls `tell` after the operator renewed the files. A pair that does not match is ignored. Returns a function that stops it.
   */
  onChange(tell: (renewed: Certificate) => void): () => void
}

export type TlsSettings = {
  certFile: string | null
  keyFile: string | null
  dataDir: string
  mailHost: string
  onWarning: (sentence: string) => void
  /** The interval between two checks of the files. */
  intervalMs?: number
}

export const openTls = (settings: TlsSettings): TlsFiles => {
  const { certFile, keyFile, intervalMs = 5_000, onWarning } = settings
  if (certFile === null || keyFile === null)
    return { load: () => ownCertificate(settings), onChange: () => () => {} }
  let loaded: Certificate | null = null
  const load = async () => {
    loaded = await operatorsCertificate(certFile, keyFile)
    return loaded
  }
  /** Warns at start and once a day: senders refuse to deliver, or fall back to plain text. */
  let saidAt = Number.NEGATIVE_INFINITY
  const sayTrouble = () => {
    if (loaded === null || performance.now() - saidAt < DAY_MS) return
    saidAt = performance.now()
    const trouble = troubleOf(loaded, settings.mailHost, new Date())
    if (trouble) onWarning(`TLS_CERT is ${certFile}, ${trouble}`)
  }
  const loadFirst = async () => {
    const asRoot = readAsRoot.get(keyFile)
    try {
      return await load()
    } catch (error) {
      if (!asRoot) throw error
      onWarning(
        `${reasonOf(error)} Until it can be read, start Mailstead again after each renewal.`,
      )
      loaded = asRoot
      return asRoot
    }
  }
  return {
    load: async () => {
      const first = await loadFirst()
      sayTrouble()
      return first
    },
    onChange: (tell) => {
      let inUse = loaded
      let warned = ''
      // Compares the content: a renewal swaps links, which file events do not report, and may happen during the start.
      const look = async () => {
        const found = await load().catch(
          (error: unknown) => `${reasonOf(error)} The certificate in use stays.`,
        )
        if (typeof found === 'string') {
          if (found !== warned) onWarning(found)
          warned = found
        } else if (found.cert !== inUse?.cert || found.key !== inUse.key) {
          inUse = found
          warned = ''
          saidAt = Number.NEGATIVE_INFINITY
          tell(found)
        }
        sayTrouble()
      }
      const timer = setInterval(look, intervalMs).unref()
      return () => clearInterval(timer)
    },
  }
}

const SOON_DAYS = 14

/** The fault that senders will find in the certificate, as the end of a sentence; null when there is none. */
export const troubleOf = ({ cert }: Certificate, mailHost: string, now: Date): string | null => {
  const certificate = new X509Certificate(cert)
  const days = (Date.parse(certificate.validTo) - now.getTime()) / DAY_MS
  if (days <= 0) return `which ran out on ${certificate.validTo}. Please renew it.`
  if (certificate.checkHost(mailHost) === undefined)
    return `which is not for MAIL_HOST, ${mailHost}, but for ${certificate.subjectAltName ?? 'no name'}.`
  if (days <= SOON_DAYS) return `which runs out on ${certificate.validTo}. Please renew it.`
  return null
}

const readAsRoot = new Map<string, Certificate>()

/** Reads the files while the program is root: afterwards they may be unreadable. @throws StartError when they cannot be used. */
export const readTlsAsRoot = async (certFile: string, keyFile: string): Promise<void> => {
  readAsRoot.set(keyFile, await operatorsCertificate(certFile, keyFile))
}

const operatorsCertificate = async (certFile: string, keyFile: string): Promise<Certificate> => {
  const cert = await readSetting('TLS_CERT', certFile, (pem) => new X509Certificate(pem))
  const key = await readSetting('TLS_KEY', keyFile, (pem) => createPrivateKey(pem))
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new StartError(`TLS_KEY is ${keyFile}, which is not the key of TLS_CERT, ${certFile}.`)
  return { cert, key }
}

const readSetting = async (
  name: string,
  file: string,
  check: (pem: string) => unknown,
): Promise<string> => {
  try {
    const pem = await readFile(file, 'utf8')
    check(pem)
    return pem
  } catch (error) {
    throw new StartError(`${name} is ${file}, which cannot be used: ${reasonOf(error)}.`)
  }
}

const VALID_DAYS = 3650
const MONTH_MS = 30 * DAY_MS

/**
 * Certificate and key are in one file, so that they always match. Renewed for another MAIL_HOST, or a month before it expires.
 */
const ownCertificate = async ({ dataDir, mailHost }: TlsSettings): Promise<Certificate> => {
  const file = join(dataDir, 'mail-tls.pem')
  const stored = await readFile(file, 'utf8').catch(() => null)
  const found = stored === null ? null : split(stored)
  if (found && isStillGood(found, mailHost)) return found
  // Most starts find their certificate, and do not wait for what makes one.
  const { selfSigned } = await import('./self-signed.ts')
  const made = selfSigned(mailHost, new Date(), VALID_DAYS)
  const part = `${file}.${randomUUID()}.part`
  await writeFile(part, `${made.cert}\n${made.key}\n`, { mode: 0o600 })
  await rename(part, file)
  return made
}

const split = (pem: string): Certificate | null => {
  const part = (label: string) => {
    const end = `-----END ${label}-----`
    const from = pem.indexOf(`-----BEGIN ${label}-----`)
    const to = pem.indexOf(end, from)
    return from < 0 || to < 0 ? null : pem.slice(from, to + end.length)
  }
  const cert = part('CERTIFICATE')
  const key = part('PRIVATE KEY')
  return cert && key ? { cert, key } : null
}

const isStillGood = ({ cert }: Certificate, mailHost: string): boolean => {
  const { subjectAltName, validTo } = new X509Certificate(cert)
  const monthAhead = Date.now() + MONTH_MS
  return subjectAltName === `DNS:${mailHost}` && Date.parse(validTo) > monthAhead
}
