/** What a User-Agent header says, in words that its owner knows. Only words of ours: the header is typed by the client. */

const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'an iPhone or iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'a Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const first = (names: typeof browsers, userAgent: string): string | undefined =>
  names.find(([sign]) => sign.test(userAgent))?.[1]

/** 'Firefox on Windows'; 'A program' when it is no browser that we know. */
export const browserName = (userAgent: string): string => {
  const browser = first(browsers, userAgent)
  const system = first(systems, userAgent)
  if (browser === undefined) return system === undefined ? 'A program' : `A program on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
