/** The certificate of the mail listeners: the operator's files, or one that we make for MAIL_HOST. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf, StartError } from '../start-error.ts'
import { selfSigned } from './self-signed.ts'

/** PEM. */
export type Certificate = { cert: string; key: string }

export type TlsFiles = {
  /** @throws StartError when the files cannot be used. */
  load(): Promise<Certificate>
  /** After the operator renewed the files. A pair that does not fit together is passed over. Answers how to stop. */
  onChange(tell: (renewed: Certificate) => void): () => void
}

export type TlsSettings = {
  certFile: string | null
  keyFile: string | null
  dataDir: string
  mailHost: string
  onWarning: (sentence: string) => void
  /** How often the files are looked at. */
  intervalMs?: number
}

export const openTls = (settings: TlsSettings): TlsFiles => {
  const { certFile, keyFile, intervalMs = 5_000, onWarning } = settings
  if (certFile === null || keyFile === null)
    return { load: () => ownCertificate(settings), onChange: () => () => {} }
  return {
    load: () => operatorsCertificate(certFile, keyFile),
    onChange: (tell) => {
      // Polling sees through the links that certificate renewers swap; file events do not.
      const look = () => {
        operatorsCertificate(certFile, keyFile).then(tell, (error: unknown) =>
          onWarning(`${reasonOf(error)} The certificate in use stays.`),
        )
      }
      for (const file of [certFile, keyFile])
        watchFile(file, { interval: intervalMs, persistent: false }, look)
      return () => {
        for (const file of [certFile, keyFile]) unwatchFile(file, look)
      }
    },
  }
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
const MONTH_MS = 30 * 24 * 3_600_000

/** Both in one file, so that they always fit together. Made anew for another MAIL_HOST, or a month before it ends. */
const ownCertificate = async ({ dataDir, mailHost }: TlsSettings): Promise<Certificate> => {
  const file = join(dataDir, 'mail-tls.pem')
  const stored = await readFile(file, 'utf8').catch(() => null)
  const found = stored === null ? null : split(stored)
  if (found && isStillGood(found, mailHost)) return found
  const made = selfSigned(mailHost, new Date(), VALID_DAYS)
  const part = `${file}.${process.pid}.part`
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
