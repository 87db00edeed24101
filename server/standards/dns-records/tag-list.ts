/** Tag lists: 'v=DKIM1; k=rsa; p=...' (RFC 6376 §3.2), shared by DKIM and DMARC records. */

/** Tags in order; null when the text is not a tag list or repeats a tag. */
export const parseTags = (text: string): Map<string, string> | null => {
  const tags = new Map<string, string>()
  const parts = text.split(';')
  for (const [at, part] of parts.entries()) {
    if (part.trim() === '' && at === parts.length - 1) break
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(equals, 0)).trim()
    if (!/^[a-z][a-z0-9_-]*$/i.test(name) || tags.has(name)) return null
    tags.set(name, part.slice(equals + 1).trim())
  }
  return tags
}
