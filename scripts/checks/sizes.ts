/**
 * A file has at most 300 lines (a test 600), blanks and comments aside; a folder at most 25 files, tests aside; a function of the
 * server at most 60 lines.
 */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import ts from 'typescript'
import { isTest, ourFiles } from './our-files.ts'

const maxLines = 300
/** A test file is a list: long, but read one test at a time. */
const maxTestLines = 600
const maxFiles = 25

export const findSizeFaults = (): string[] => {
  const paths = ourFiles()
  if (paths.length === 0) return ['no file was looked at']
  return [
    ...paths.flatMap((path) => fileFaults(path, readFileSync(path, 'utf8'))),
    ...folderFaults(paths),
    ...depthFaults(paths),
    ...paths
      .filter((path) => holdsShortFunctions.test(path) && !isTest(path))
      .flatMap((path) => functionFaults(path, readFileSync(path, 'utf8'))),
  ]
}

export const fileFaults = (path: string, text: string): string[] => {
  const lines = countLines(text)
  const most = isTest(path) ? maxTestLines : maxLines
  return lines > most ? [`${path} has ${lines} lines; ${most} is the most`] : []
}

const holdsShortFunctions = /^(contract|server|scripts)\/.*\.ts$/
const maxFunctionLines = 60

/** From the first line to the last: the linter counts fewer where an expression goes over several. */
export const functionFaults = (path: string, text: string): string[] => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const faultsIn = (node: ts.Node): string[] => {
    const first = lineAt(node.getStart(source))
    const lines = lineAt(node.end) - first + 1
    const isLong = ts.isFunctionLike(node) && lines > maxFunctionLines
    const inner: string[] = []
    ts.forEachChild(node, (child) => void inner.push(...faultsIn(child)))
    return isLong
      ? [
          `${path}:${first} is a function of ${lines} lines; ${maxFunctionLines} is the most`,
          ...inner,
        ]
      : inner
  }
  return faultsIn(source)
}

/** Folders including the file itself. */
const maxDepth = 5

export const depthFaults = (paths: string[]): string[] =>
  paths
    .filter((path) => path.split('/').length > maxDepth)
    .map((path) => `${path} lies ${path.split('/').length} levels deep; ${maxDepth} is the most`)

export const folderFaults = (paths: string[]): string[] => {
  const counts = new Map<string, number>()
  for (const path of paths.filter((each) => !isTest(each)))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > maxFiles)
    .map(([folder, count]) => `${folder}/ has ${count} files; ${maxFiles} is the most`)
}

/** Counts lines with code. A comment is recognised at the start of a line; the formatter ensures that. */
export const countLines = (text: string): number => {
  let isInComment = false
  let count = 0
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (isInComment || line.startsWith('/*')) isInComment = !line.includes('*/')
    else if (line !== '' && !line.startsWith('//')) count += 1
  }
  return count
}
