/** What strangers put into mails to run scripts, to load things, or to leave the frame. `spy` is a host that must hear nothing. */
import { addresses } from './addresses.ts'
import { RUN } from './family.ts'
import { loading } from './loading.ts'
import { parsing } from './parsing.ts'
import { scripts } from './scripts.ts'
import { styling } from './styling.ts'

export const hostilePayloads = (spy: string): string[] => [
  ...new Set([...scripts(spy), ...addresses(), ...parsing(), ...loading(spy), ...styling(spy)]),
]

/** For subjects, names and files: text to us, and an element with this mark when parsed as HTML. */
export const MARK = 'data-hostile'

export const hostileTexts: readonly string[] = [
  `<img ${MARK} src=x onerror=${RUN}>`,
  `"><img ${MARK} src=x onerror=${RUN}>`,
  `'><svg ${MARK} onload=${RUN}>`,
  `</title><script ${MARK}>${RUN}</script>`,
  `</script><script ${MARK}>${RUN}</script>`,
  `<!--><b ${MARK} onmouseover=${RUN}>x</b>-->`,
  `\u202E<u ${MARK}>gpj.exe`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `javascript:${RUN}`,
  `&lt;img ${MARK} src=x onerror=${RUN}&gt;`,
  `<a ${MARK} href="javascript:${RUN}">x</a>`,
  `" onfocus="${RUN}" autofocus ${MARK}="`,
  `' style='position:fixed;inset:0' ${MARK}='`,
  `<style ${MARK}>*{display:none}</style>`,
  `<math ${MARK}><mtext><style><img src=x onerror=${RUN}></style>`,
]
