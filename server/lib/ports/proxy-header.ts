/**
 * The header with which a balancer of TCP begins a connection, to say whose it is: the PROXY protocol of HAProxy, version 1, a line of
 * text, and version 2, in bytes (haproxy.org/download/3.0/doc/proxy-protocol.txt, section 2).
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `client` null: the balancer speaks for itself, as when it asks whether this server is there. */
export type ProxyHeader = { length: number; client: { address: string; port: number } | null }

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const LINE_START = Buffer.from('PROXY ')
/** With its end (section 2.1). */
const LONGEST_LINE = 107
const FIXED_BYTES = 16
/** Addresses and all extensions of version 2; some balancers send a certificate there. */
const MOST_BYTES = 4_096

/** 'more': it is not whole yet; 'wrong': it is none. */
export const readProxyHeader = (bytes: Buffer): ProxyHeader | 'more' | 'wrong' => {
  if (startsAs(bytes, SIGNATURE)) return bytes.length < FIXED_BYTES ? 'more' : inBytes(bytes)
  if (startsAs(bytes, LINE_START)) return asLine(bytes)
  return 'wrong'
}

/** As far as it goes. */
const startsAs = (bytes: Buffer, start: Buffer): boolean => {
  const length = Math.min(bytes.length, start.length)
  return bytes.subarray(0, length).equals(start.subarray(0, length))
}

const asLine = (bytes: Buffer): ProxyHeader | 'more' | 'wrong' => {
  const end = bytes.subarray(0, LONGEST_LINE).indexOf('\r\n')
  if (end === -1) return bytes.length < LONGEST_LINE ? 'more' : 'wrong'
  const length = end + 2
  const [, family, address = '', , port = ''] = bytes.toString('latin1', 0, end).split(' ')
  if (family === 'UNKNOWN') return { length, client: null }
  const version = { TCP4: 4, TCP6: 6 }[family ?? '']
  if (version === undefined || isIP(address) !== version || !/^\d{1,5}$/.test(port)) return 'wrong'
  return { length, client: clientOf(address, Number(port)) }
}

/** Of the fixed part. */
const [LOCAL, PROXY] = [0x20, 0x21]
const ADDRESS_BYTES: Record<number, number> = { 17: 4, 33: 16 }

const inBytes = (bytes: Buffer): ProxyHeader | 'more' | 'wrong' => {
  const command = bytes.readUInt8(12)
  const length = FIXED_BYTES + bytes.readUInt16BE(14)
  if (length > MOST_BYTES || (command !== LOCAL && command !== PROXY)) return 'wrong'
  if (bytes.length < length) return 'more'
  const size = ADDRESS_BYTES[bytes.readUInt8(13)]
  // Of another kind than TCP over IP: section 2.2 asks to take the connection's own address.
  if (command === LOCAL || size === undefined) return { length, client: null }
  if (length < FIXED_BYTES + 2 * size + 4) return 'wrong'
  const address = ipaddr.fromByteArray([...bytes.subarray(FIXED_BYTES, FIXED_BYTES + size)])
  return { length, client: clientOf(`${address}`, bytes.readUInt16BE(FIXED_BYTES + 2 * size)) }
}

const clientOf = (address: string, port: number) => ({
  ...{ address: ipaddr.process(address).toString(), port },
})
