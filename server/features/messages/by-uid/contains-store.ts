/** Whether a column has a text in it, anywhere and in any case of its letters. */
import { type RawBuilder, sql } from 'kysely'

type Condition = RawBuilder<boolean>

/**
 * Letters of ASCII are sought bytewise, which is many times quicker. Of other letters both ways to write them are, as one and as letter
 * and mark. Spaces of any kind and number are one, as in what is stored.
 */
export const contains = (column: RawBuilder<unknown>, text: string): Condition => {
  const wanted = text.replace(/\s+/g, ' ').toLowerCase()
  if (/^[\0-\x7f]*$/.test(wanted))
    return sql<boolean>`strpos(lower(${column} collate "C"), ${wanted}::text collate "C") > 0`
  const spellings = [...new Set([wanted.normalize('NFC'), wanted.normalize('NFD')])]
  const each = spellings.map((one) => sql`strpos(folded, ${one}::text) > 0`)
  // Such letters are slow to fold: once, also for two spellings.
  return sql<boolean>`(select ${sql.join(each, sql` or `)} from (select lower(${column}) as folded offset 0) as text)`
}

/** '': that there is one. */
export const isInSubject = (text: string): Condition =>
  text === '' ? sql<boolean>`m.subject <> ''` : contains(sql`m.subject`, text.trim())

/** Of those with more people the rest are not stored. */
const MOST_PEOPLE = 200

/** Each person as `Name <address>`, with quotes around the name and without. '': that there is one. */
export const isInPeople = (field: 'from' | 'to' | 'cc' | 'bcc', text: string): Condition => {
  const column = sql`m.${sql.id(field)}`
  if (field === 'from') {
    if (text === '') return sql<boolean>`coalesce(jsonb_typeof(${column}) = 'object', false)`
    return sql<boolean>`coalesce(jsonb_typeof(${column}) = 'object' and ${contains(writtenOut(column), text)}, false)`
  }
  if (text === '') return sql<boolean>`jsonb_array_length(${column}) > 0`
  return sql<boolean>`case
    when exists (select from jsonb_array_elements(${column}) as p where ${contains(writtenOut(sql`p`), text)}) then true
    when jsonb_array_length(${column}) >= ${MOST_PEOPLE}::int then null else false end`
}

const writtenOut = (person: RawBuilder<unknown>) => {
  const [name, address] = [
    sql`coalesce(${person} ->> 'name', '')`,
    sql`coalesce(${person} ->> 'address', '')`,
  ]
  return sql`(${name} || ' <' || ${address} || '> "' || ${name} || '" <' || ${address} || '>')`
}
