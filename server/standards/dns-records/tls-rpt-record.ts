/** TLS reporting (RFC 8460 §3): where mail servers send their daily reports on TLS with a domain's hosts. */

export const tlsRptRecord = (address: string): string => `v=TLSRPTv1; rua=mailto:${address}`

/** What is wrong with it, as the end of 'The record at x ...'; null when it is valid. */
export const tlsRptFault = (text: string): string | null => {
  const [version, ...fields] = text.split(';').map((field) => field.trim())
  if (version !== 'v=TLSRPTv1') return 'does not begin with v=TLSRPTv1;'
  const rua = fields.find((field) => /^rua\s*=/.test(field))
  if (rua === undefined) return 'names no address for the reports (rua=)'
  const places = rua.slice(rua.indexOf('=') + 1).split(',')
  return places.every((place) => /^\s*(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)\s*$/.test(place))
    ? null
    : 'names an address that is neither mailto: nor https:'
}
