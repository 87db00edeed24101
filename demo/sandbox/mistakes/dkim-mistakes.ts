/** Mistakes in the DKIM record, whose value is longer than many editors accept. */
import { atOtherName, doubled, type Mistake, ofType, withValues } from './mistake.ts'

const STRING_BYTES = 255
/** The key of another service; any key works. */
const OTHER_KEY = `MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ${'C7kq0Zt9'.repeat(20)}IDAQAB`

const dkim = (
  id: string,
  title: string,
  text: string,
  put: (value: string) => string[],
): Mistake => ({ id: `dkim-${id}`, group: 'dkim', title, text, make: withValues('dkim', put) })

export const dkimMistakes: readonly Mistake[] = [
  dkim(
    'cut',
    'Cut at 255 characters',
    'The editor takes 255 characters and drops the rest.',
    (value) => [value.slice(0, STRING_BYTES)],
  ),
  {
    id: 'dkim-doubled',
    group: 'dkim',
    title: 'Host name doubled',
    text: 'The whole name is typed as the host, and the editor puts the zone behind it once more.',
    make: atOtherName('dkim', doubled),
  },
  {
    id: 'dkim-dotless',
    group: 'dkim',
    title: 'Without _domainkey',
    text: 'Only the selector is typed as the host.',
    make: atOtherName('dkim', (name) => name.replace('._domainkey', '')),
  },
  dkim('other', 'The key of another service', 'A key that was there before stays.', () => [
    `v=DKIM1; k=rsa; p=${OTHER_KEY}`,
  ]),
  dkim('two', 'Two keys', 'The key of another service stays beside ours.', (value) => [
    `v=DKIM1; k=rsa; p=${OTHER_KEY}`,
    value,
  ]),
  dkim('empty', 'An empty key', 'The key after p= is lost, which revokes it.', () => [
    'v=DKIM1; k=rsa; p=',
  ]),
  dkim(
    'quoted',
    'Quotes kept',
    'The value is pasted with quotation marks, and they become part of it.',
    (value) => [`"${value}"`],
  ),
  dkim(
    'escaped',
    'Backslashes kept',
    'The value is pasted as a zone file has it, with a backslash before each semicolon.',
    (value) => [value.replaceAll(';', '\\;')],
  ),
  dkim(
    'spaced',
    'Strings joined with a space',
    'The two strings are pasted as one, with a space between them, which does no harm.',
    (value) => [`${value.slice(0, STRING_BYTES)} ${value.slice(STRING_BYTES)}`],
  ),
  {
    id: 'dkim-proxied',
    group: 'dkim',
    title: 'A proxied CNAME',
    text: 'A CNAME record is made with the proxy on, so the name answers with an address.',
    make: ofType('dkim', 'A', '104.18.7.7'),
  },
]
