/** An authenticator as browsers have them, in software: makes passkeys and signs with them, also wrongly (WebAuthn Level 3 §6). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Kept = { id: Buffer; key: KeyObject; counter: number; userHandle: string }

export type Authenticator = {
  /** Answers as `navigator.credentials.create` does. */
  make(options: Options, changes?: Changes): object
  /** Answers as `navigator.credentials.get` does, with its newest passkey. */
  answer(options: Options, changes?: Changes): object
}

// biome-ignore lint/suspicious/noExplicitAny: the options of the server, as JSON
type Options = Record<string, any>

/** What differs from an honest one. */
export type Changes = {
  origin?: string
  rpId?: string
  isVerified?: boolean
  isForged?: boolean
  counter?: number
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const text = (bytes: Buffer) => bytes.toString('base64url')

/** `isSynced`: a copy is kept elsewhere, and its counter stays 0. */
export const anAuthenticator = (origin: string, { isSynced = false } = {}): Authenticator => {
  const passkeys: Kept[] = []
  const flags = (isVerified: boolean, hasKey: boolean): number =>
    0x01 | (isVerified ? 0x04 : 0) | (isSynced ? 0x18 : 0) | (hasKey ? 0x40 : 0)
  const clientData = (type: string, options: Options, changes: Changes): Buffer =>
    Buffer.from(
      JSON.stringify({
        ...{ type, challenge: options.challenge, origin: changes.origin ?? origin },
        crossOrigin: false,
      }),
    )
  const head = (rpId: string, flag: number, counter: number): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flag]), count])
  }
  return {
    make: (options, changes = {}) => {
      const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const kept = { id: randomBytes(16), key, counter: 0, userHandle: options.user.id }
      passkeys.push(kept)
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const data = Buffer.concat([
        head(changes.rpId ?? options.rp.id, flags(changes.isVerified ?? true, true), 0),
        Buffer.alloc(16),
        Buffer.from([0, kept.id.length]),
        kept.id,
        coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
      ])
      return {
        ...{ id: text(kept.id), rawId: text(kept.id), type: 'public-key' },
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData('webauthn.create', options, changes)),
          attestationObject: text(attestation(data)),
          transports: ['internal'],
        },
      }
    },
    answer: (options, changes = {}) => {
      const kept = passkeys.at(-1)
      if (!kept) throw new Error('no passkey was made')
      if (!isSynced) kept.counter += 1
      const flag = flags(changes.isVerified ?? true, false)
      const data = head(changes.rpId ?? options.rpId, flag, changes.counter ?? kept.counter)
      const client = clientData('webauthn.get', options, changes)
      const signed = sign('sha256', Buffer.concat([data, sha256(client)]), kept.key)
      if (changes.isForged)
        signed.writeUInt8(signed.readUInt8(signed.length - 1) ^ 1, signed.length - 1)
      return {
        ...{ id: text(kept.id), rawId: text(kept.id), type: 'public-key' },
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          ...{ signature: text(signed), userHandle: kept.userHandle },
        },
      }
    },
  }
}

/** RFC 9052: an ES256 key on P-256. */
const coseKey = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    ...[x, Buffer.from([0x22, 0x58, 0x20]), y],
  ])

/** `{ fmt: 'none', attStmt: {}, authData }` in CBOR. */
const attestation = (data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3]),
    ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
    ...[cborText('authData'), Buffer.from([0x58, data.length]), data],
  ])

const cborText = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
