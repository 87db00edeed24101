/** What the doors show: the certificate of the name that a client asks for (SNI, RFC 6066 section 3), else that of MAIL_HOST. */
import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { openCache, remembered } from '../cache.ts'
import { keepClient } from '../ports/behind-balancers.ts'
import { reasonOf } from '../ports/bound-ports.ts'
import { type Certificate, openTls, type TlsSettings } from './tls.ts'

export type Certificates = {
  /** To be awaited by each door before its first client comes; the first call reads them. @throws StartError when the operator's files cannot be used */
  load(): Promise<void>
  /** Whether a client that asks for this name is shown it. */
  isFor(name: string): boolean
  /** Whether the operator's own files are for this name. */
  isCovered(name: string): boolean
  /** The server's side of TLS on this connection. */
  secure(socket: Socket): TLSSocket
  /** For clients that ask for no name. */
  usual(): Certificate
  /** When that one runs out; null before `load`. */
  expiresAt(): Date | null
  /** For `SNICallback`. */
  forName(name: string, done: (error: Error | null, context?: SecureContext) => void): void
  /** Calls `tell` when the usual one is another. Returns a function that stops it. */
  onChange(tell: (usual: Certificate) => void): () => void
  close(): void
}

/** Certificates that are kept elsewhere, by name. */
export type StoredCertificates = {
  /** Resolves once it is known which names have one; calls `tell` when others do. Returns a function that stops it. */
  watch(tell: () => void): Promise<() => void>
  /** Without asking anybody: strangers choose the name. @returns what tells one certificate of the name from the next */
  versionOf(name: string): string | null
  read(name: string): Promise<Certificate | null>
}

/** A context takes about 50 kB. */
const MOST_CONTEXTS = 1_000

export const openCertificates = (
  settings: TlsSettings,
  stored: StoredCertificates | null = null,
): Certificates => new OpenCertificates(settings, stored)

class OpenCertificates implements Certificates {
  readonly #settings: TlsSettings
  readonly #stored: StoredCertificates | null
  readonly #contexts = openCache<Promise<SecureContext>>({ most: MOST_CONTEXTS })
  readonly #listeners = new Set<(usual: Certificate) => void>()
  readonly #stops: (() => void)[] = []
  #loading: Promise<void> | null = null
  #fromFiles: Shown | null = null
  #usual: Shown | null = null

  constructor(settings: TlsSettings, stored: StoredCertificates | null) {
    this.#settings = settings
    this.#stored = stored
  }

  load(): Promise<void> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  isFor(name: string): boolean {
    return this.#shown.isFor(name) || this.#versionOf(name) !== null
  }

  isCovered(name: string): boolean {
    return this.#isOperators && this.#fromFiles?.isFor(name) === true
  }

  secure(socket: Socket): TLSSocket {
    const { context: secureContext } = this.#shown
    const how = { isServer: true, secureContext, SNICallback: this.forName }
    return keepClient(new TLSSocket(socket, how), socket)
  }

  usual(): Certificate {
    return this.#shown.pem
  }

  expiresAt(): Date | null {
    return this.#usual?.expiresAt ?? null
  }

  readonly forName: Certificates['forName'] = (asked, done) => {
    const name = asked.toLowerCase().replace(/\.$/, '')
    const { context, isFor } = this.#shown
    const version = isFor(name) ? null : this.#versionOf(name)
    if (version === null) return done(null, context)
    // One that cannot be read now is passed over: a wrong name is better than no answer.
    this.#storedContext(name, version).then(
      (found) => done(null, found),
      () => done(null, context),
    )
  }

  onChange(tell: (usual: Certificate) => void): () => void {
    this.#listeners.add(tell)
    return () => void this.#listeners.delete(tell)
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  get #isOperators(): boolean {
    return this.#settings.certFile !== null
  }

  get #shown(): Shown {
    if (this.#usual === null) throw new Error('the certificates are not loaded')
    return this.#usual
  }

  async #load(): Promise<void> {
    const files = openTls(this.#settings)
    this.#fromFiles = shownOf(await files.load())
    this.#usual = this.#fromFiles
    const stop = files.onChange((renewed) => {
      this.#fromFiles = shownOf(renewed)
      this.#change(renewed)
    })
    this.#stops.push(stop)
    if (this.#stored === null) return
    this.#stops.push(await this.#stored.watch(() => void this.#chooseUsual()))
    await this.#chooseUsual()
  }

  async #chooseUsual(): Promise<void> {
    if (this.#isOperators || this.#stored === null) return
    try {
      const found = await this.#stored.read(this.#settings.mailHost)
      if (this.#fromFiles !== null) this.#change(found ?? this.#fromFiles.pem)
    } catch (error) {
      const why = reasonOf(error)
      this.#settings.onWarning(`The certificate of MAIL_HOST could not be read: ${why}`)
    }
  }

  #change(next: Certificate): void {
    if (next.cert === this.#usual?.pem.cert) return
    this.#usual = shownOf(next)
    for (const tell of this.#listeners) tell(next)
  }

  #versionOf(name: string): string | null {
    return this.#stored?.versionOf(name) ?? null
  }

  #storedContext(name: string, version: string): Promise<SecureContext> {
    return remembered(this.#contexts, `${name} ${version}`, async () => {
      const found = await this.#stored?.read(name)
      return found ? createSecureContext(found) : this.#shown.context
    })
  }
}

type Shown = {
  pem: Certificate
  context: SecureContext
  expiresAt: Date
  isFor(name: string): boolean
}

const shownOf = (pem: Certificate): Shown => {
  const certificate = new X509Certificate(pem.cert)
  return {
    ...{ pem, context: createSecureContext(pem), expiresAt: new Date(certificate.validTo) },
    isFor: (name) => certificate.checkHost(name) !== undefined,
  }
}
