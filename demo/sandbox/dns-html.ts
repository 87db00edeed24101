/** The pages of 'Sandbox DNS': plain HTML, every value escaped. */
import { createHash } from 'node:crypto'
import { escapeHtml as e } from '#server/lib/escape-html.ts'
import { recordTypes, type SandboxRecord } from '../world/sandbox-zones.ts'
import { type AskedRecord, publishedValue } from './publish.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #8885; --accent: #2f5fd0; --good: #197a45; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --accent: #8fb0ff; --good: #6fd19a; --bad: #ff8a80 } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1.5rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } .wide { overflow-x: auto }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
td { overflow-wrap: break-word } td:nth-child(2) { min-width: 15rem; max-width: 20rem }
.here { white-space: nowrap }
td.value { overflow-wrap: anywhere; min-width: 16rem; font-family: ui-monospace, monospace; font-size: .85rem }
form { display: inline } form.row { display: flex; gap: .5rem; flex-wrap: wrap; align-items: end }
input, select, textarea, button { font: inherit; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 6px }
textarea { min-width: 16rem; field-sizing: content; font-family: ui-monospace, monospace; font-size: .85rem }
button { cursor: pointer } button.main { background: var(--accent); color: Canvas; border-color: var(--accent) }
label { display: grid; gap: .2rem } .grow { flex: 1 1 20rem }
.good { color: var(--good) } .bad { color: var(--bad) } .soft { opacity: .75 }
a { color: var(--accent) }
`
const styleHash = createHash('sha256').update(STYLE).digest('base64')
export const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`

type Overview = {
  domains: readonly { name: string; hasZone: boolean }[]
  others: readonly string[]
  dashboardUrl: string
}

export const overviewPage = ({ domains, others, dashboardUrl }: Overview): string =>
  page(
    'Sandbox DNS',
    `<p>The DNS of this demo. What stands here is what Mailstead finds when it checks a domain.
<a href="${e(dashboardUrl)}">Back to Mailstead</a></p>
<h2>Domains that were added</h2>
<div class="wide" tabindex="0"><table><thead><tr><th scope="col">Domain</th><th scope="col">Zone</th><th scope="col">Do</th></tr></thead>
<tbody>${domains.map(domainRow).join('\n')}</tbody></table></div>
<h2>Other zones</h2>
<ul>${others.map((name) => `<li>${linkTo(name)}</li>`).join('')}</ul>`,
  )

const domainRow = ({ name, hasZone }: { name: string; hasZone: boolean }): string =>
  `<tr><td>${linkTo(name)}</td><td>${hasZone ? 'yes' : '<span class="bad">none</span>'}</td><td>${publishButton(name)}</td></tr>`

type Zone = {
  name: string
  /** null: not delegated, nobody answers for it. */
  zone: string | null
  isFailing: boolean
  asked: readonly AskedRecord[]
  records: readonly SandboxRecord[]
  dashboardUrl: string
  fault?: string
}

export const zonePage = (shown: Zone): string => {
  const { name, zone, asked, records, dashboardUrl, fault } = shown
  return page(
    `${name} | Sandbox DNS`,
    `<p><a href="/dev/dns">All zones</a> &middot; <a href="${e(dashboardUrl)}">Back to Mailstead</a></p>
${fault ? `<p role="alert" class="bad">${e(fault)}</p>` : ''}
${asked.length > 0 ? askedSection(name, asked, records) : ''}
${zone === null ? noZone(name) : editor(name, zone, records)}
${zone === name ? zoneButtons(shown) : ''}`,
    name,
  )
}

const askedSection = (
  name: string,
  asked: readonly AskedRecord[],
  records: readonly SandboxRecord[],
): string => {
  const row = (record: AskedRecord) => {
    const value = publishedValue(record)
    const isThere = records.some(
      (each) => each.name === record.name && each.type === record.type && each.value === value,
    )
    return `<tr><td>${e(record.type)}</td><td>${e(record.name)}</td><td class="value">${e(value)}</td>
<td class="here">${isThere ? '<span class="good">Published</span>' : '<span class="soft">Not published</span>'}</td></tr>`
  }
  return `<h2>What Mailstead asks for</h2>
<div class="wide" tabindex="0"><table><thead><tr><th scope="col">Type</th><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Here</th></tr></thead>
<tbody>${asked.map(row).join('\n')}</tbody></table></div>
<p>${publishButton(name, 'main')}</p>`
}

const noZone = (name: string): string => `<h2>No zone</h2>
<p>No name server knows ${e(name)}, as if it were mistyped or had expired.</p>
${form(name, 'create', '', 'Create an empty zone')}`

const editor = (name: string, zone: string, records: readonly SandboxRecord[]): string =>
  `<h2>Records of ${e(zone)}</h2>
<div class="wide" tabindex="0"><table><thead><tr><th scope="col">Type</th><th scope="col">Name</th><th scope="col">Value</th></tr></thead>
<tbody>${records.map((record) => recordRow(name, record)).join('\n')}</tbody></table></div>
${records.length === 0 ? '<p>No record yet.</p>' : ''}
<h2>Add a record</h2>
${form(
  name,
  'add',
  `<label>Type <select name="type">${recordTypes.map((type) => `<option>${type}</option>`).join('')}</select></label>
<label>Host <input name="host" placeholder="@" autocomplete="off"></label>
<label class="grow">Value <textarea name="value" rows="2" required></textarea></label>`,
  'Add',
)}
<p class="soft">As with most providers, .${e(zone)} is put behind the host; @ is the zone itself.</p>`

const zoneButtons = ({ name, isFailing }: Zone): string =>
  `<h2>The zone itself</h2>
<p>${
    isFailing
      ? `<span class="bad">Its name servers answer every question with SERVFAIL.</span>
${form(name, 'mend', '', 'Mend its name servers')}`
      : form(name, 'break', '', 'Break its name servers')
  }</p>
<p>${form(name, 'delete', '', 'Delete this zone')}</p>`

const recordRow = (domain: string, { name, type, value }: SandboxRecord): string => {
  const rows = Math.min(6, Math.ceil(value.length / 45))
  return `<tr><td>${type}</td><td>${e(name)}</td><td>
<form class="row" method="post" action="/dev/dns">${hidden({ domain, name, type, old: value })}
<textarea class="grow" name="value" rows="${rows}" aria-label="Value of ${type} ${e(name)}">${e(value)}</textarea>
<button name="action" value="change">Save</button> <button name="action" value="remove">Remove</button></form></td></tr>`
}

const form = (domain: string, action: string, fields: string, button: string): string =>
  `<form class="row" method="post" action="/dev/dns">${hidden({ domain, action })}${fields}<button>${button}</button></form>`

const publishButton = (domain: string, look = ''): string =>
  `<form method="post" action="/dev/dns">${hidden({ domain, action: 'publish' })}<button class="${look}">Publish all for this domain</button></form>`

const hidden = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${e(value)}">`)
    .join('')

const linkTo = (name: string): string =>
  `<a href="/dev/dns?zone=${encodeURIComponent(name)}">${e(name)}</a>`

export const refusedPage = (words: string): string => page('Sandbox DNS', `<p>${e(words)}</p>`)

const page = (title: string, body: string, heading = title): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${e(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${e(heading)}</h1>
${body}
</main></body>
</html>
`
