/** The headings of tables of people, in the languages of their spreadsheets. */

export type Field = 'firstName' | 'lastName' | 'email' | 'domain' | 'privateEmail'
export type Heading = Field | 'name'

export const headingText: Record<Heading, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  domain: 'Domain',
  privateEmail: 'Private email',
  name: 'Name',
}

/** Without accents, blanks and signs. */
const known: Record<Heading, string> = {
  firstName:
    'firstname first givenname given forename vorname prenom prenoms nombre nombres primernombre voornaam imie fornavn fornamn etunimi jmeno nome primeironome',
  lastName:
    'lastname last surname familyname nachname nachnahme familienname zuname nomdefamille apellido apellidos primerapellido cognome sobrenome apelido achternaam nazwisko etternavn efternavn efternamn sukunimi prijmeni',
  email:
    'email mail emailaddress mailaddress mailbox address primaryemail username useremail emailadresse mailadresse adresse postfach adressemail adresseemail adresseelectronique courriel correo correoelectronico direccion direcciondecorreo indirizzoemail postaelettronica enderecodeemail emailadres adresemail epost',
  domain: 'domain domainname domane domains dominio domaine nomdedomaine domein domena',
  name: 'name fullname displayname person vollername vollstandigername anzeigename nom nomcomplet nomprenom nombrecompleto nombreyapellidos nomecompleto naam navn namn',
  privateEmail:
    'privateemail privatemail privateaddress personalemail homeemail recoveryemail otheremail privateemailadresse privatemailadresse privatadresse emailprivat mailprivat emailpersonnel emailprive adressepersonnelle correopersonal emailpersonal emailpersonale',
}

const german = new Set(
  'vorname nachname nachnahme familienname zuname emailadresse mailadresse adresse postfach domane vollername vollstandigername anzeigename privateemailadresse privatemailadresse privatadresse emailprivat mailprivat'.split(
    ' ',
  ),
)

const wordOf = (cell: string): string =>
  cell
    .replace(/\[[^\]]*\]|\([^)]*\)/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

const byWord = new Map(
  Object.entries(known).flatMap(([heading, words]) =>
    words.split(' ').map((word) => [word, heading as Heading] as const),
  ),
)

export const headingOf = (cell: string): Heading | undefined => byWord.get(wordOf(cell))

/** Words that mean a street or a whole name in many tables: a plainer heading beside them wins. */
const VAGUE = new Set(['address', 'adresse', 'direccion', 'person', 'username'])
export const isVague = (cell: string): boolean => VAGUE.has(wordOf(cell))

/** null: they do not tell, so the language of the person does. */
export function areGerman(cells: readonly string[]): boolean | null {
  if (cells.some((cell) => german.has(wordOf(cell)))) return true
  const hasOther = cells.some((cell) => {
    const heading = headingOf(cell)
    return heading === 'firstName' || heading === 'lastName'
  })
  return hasOther ? false : null
}
