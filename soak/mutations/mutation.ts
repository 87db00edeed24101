/** One small change of the web code that a developer could make by mistake: of a text, a guard or a constant. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export type Kind = 'text' | 'guard' | 'constant'
export type Mutation = {
  kind: Kind
  path: string
  line: number
  start: number
  end: number
  before: string
  after: string
}

/** Every mutation of the files below a folder. */
export const mutationsIn = (folder: string): Mutation[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.(test|d)\.tsx?$/.test(path))
    .sort()
    .flatMap((path) => mutationsOf(path, readFileSync(path, 'utf8')))

export const mutationsOf = (path: string, text: string): Mutation[] => {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const found: Mutation[] = []
  const visit = (node: ts.Node): void => {
    const change = changeOf(node)
    if (change) {
      const start = node.getStart(source)
      const line = source.getLineAndCharacterOfPosition(start).line + 1
      found.push({ ...change, path, line, start, end: node.getEnd(), before: node.getText(source) })
    }
    // Tests of behaviour do not see class names and types, and wrong imports do not build.
    if (!isIgnored(node) && !isData(node)) ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const isIgnored = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isTypeNode(node) ||
  (ts.isJsxAttribute(node) &&
    /^(className|style|d|viewBox|aria-hidden)$/.test(node.name.getText())) ||
  (ts.isCallExpression(node) && ['cn', 'cva', 'import'].includes(node.expression.getText()))

/** From this length a list of names is random sample data, of which no entry is promised. */
const MANY = 20
const isData = (node: ts.Node): boolean =>
  ts.isArrayLiteralExpression(node) && node.elements.filter(ts.isStringLiteral).length > MANY

const changeOf = (node: ts.Node): { kind: Kind; after: string } | null => {
  if (ts.isJsxText(node) && isWords(node.text)) return { kind: 'text', after: changedWords(node) }
  if (ts.isStringLiteral(node) && isWords(node.text) && isReadable(node))
    return { kind: 'text', after: changedWords(node) }
  if (ts.isNumericLiteral(node) && isConstant(node))
    return { kind: 'constant', after: String(changedNumber(Number(node.text.replaceAll('_', '')))) }
  return isGuard(node) ? { kind: 'guard', after: `!(${node.getText()})` } : null
}

/** A sentence, a label or a name that users read. */
const isWords = (text: string): boolean => /[A-Za-z]{2}/.test(text)
const isReadable = (node: ts.StringLiteral): boolean =>
  /^[A-Z❌]|\s/.test(node.text) && !/^[A-Z_]+$/.test(node.text)
const changedWords = (node: ts.Node): string =>
  node.getText().replace(/[A-Za-z]{2,}/, (word) => `${word}x`)

const isConstant = (node: ts.NumericLiteral): boolean =>
  ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
const changedNumber = (number: number): number => (number === 0 ? 1 : number * 2)

/** The condition of an `if`, of a conditional expression, or of an attribute such as `disabled`. */
const isGuard = (node: ts.Node): boolean => {
  const { parent } = node
  if (!ts.isExpression(node)) return false
  if (ts.isIfStatement(parent)) return parent.expression === node
  if (ts.isConditionalExpression(parent)) return parent.condition === node
  return (
    ts.isJsxExpression(parent) &&
    ts.isJsxAttribute(parent.parent) &&
    /^(disabled|is[A-Z]|enabled|open)/.test(parent.parent.name.getText())
  )
}
