/** What a part of a message is called as a file when its sender gave it no name. */

const byType: Record<string, string> = {
  'message/delivery-status': 'delivery-report.txt',
  'message/global-delivery-status': 'delivery-report.txt',
  'message/disposition-notification': 'read-receipt.txt',
  'message/feedback-report': 'complaint-report.txt',
  'message/rfc822': 'message.eml',
  'message/global': 'message.eml',
  'text/rfc822-headers': 'headers-of-message.txt',
  'text/calendar': 'invitation.ics',
  'text/vcard': 'contact.vcf',
  'application/pgp-signature': 'signature.asc',
  'application/pgp-encrypted': 'encrypted.asc',
  'application/pkcs7-signature': 'signature.p7s',
  'application/x-pkcs7-signature': 'signature.p7s',
}
const reported: Record<string, string> = {
  'message/rfc822': 'original-message.eml',
  'message/global': 'original-message.eml',
  'text/rfc822-headers': 'headers-of-original-message.txt',
}
const endings: Record<string, string> = {
  ...{ 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' },
  ...{ 'application/pdf': 'pdf', 'application/zip': 'zip', 'text/plain': 'txt', 'text/csv': 'csv' },
}

const reports = new Set([
  ...['message/delivery-status', 'message/global-delivery-status'],
  ...['message/disposition-notification', 'message/feedback-report'],
])

/** `types`: of all parts, among which this is the nth. */
export const partName = (types: readonly string[], n: number): string => {
  const type = types[n]?.toLowerCase() ?? ''
  const isReport = types.some((each) => reports.has(each.toLowerCase()))
  const known = (isReport ? reported[type] : undefined) ?? byType[type]
  if (known !== undefined) return known
  const ending = endings[type]
  return `attachment-${n + 1}${ending ? `.${ending}` : ''}`
}
