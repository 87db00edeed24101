/** A file has at most 300 lines (a test 600), blanks and comments aside; a folder at most 25 files, tests aside. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
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
  ]
}

export const fileFaults = (path: string, text: string): string[] => {
  const lines = countLines(text)
  const most = isTest(path) ? maxTestLines : maxLines
  return lines > most ? [`${path} has ${lines} lines; ${most} is the most`] : []
}

/** Folders and the file in them. */
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

/** Lines with code on them. A comment is seen where a line begins with it, which the formatter sees to. */
export const countLines = (text: string): number => {
  let isInComment = false
  let count = 0
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (isInComment || line.startsWith('/*')) isInComment = !line.includes('*/')
    else if (line !== '' && !line.startsWith('//')) count += 1
  }
  return count
}
