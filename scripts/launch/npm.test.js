import { expect, test } from 'vitest'
import { isEnough } from './node-runtime.js'
import { sentenceFor } from './npm.js'

test.each([
  [
    'npm error code ECONNREFUSED\nnpm error connect ECONNREFUSED 127.0.0.1:9',
    /check your connection/,
  ],
  ['npm error code ENOTFOUND', /registry cannot be reached/],
  ['npm error code EAI_AGAIN', /npm start again/],
  ['npm error code E404\nnpm error 404 Not Found - GET https://example.com/x', /does not have all/],
  [
    "npm error code EACCES\nnpm error EACCES: permission denied, mkdir '/x'",
    /cannot write to its folder/,
  ],
  ['npm error code ENOSPC', /is full/],
  ['npm error code EUSAGE\nnpm error out of sync', /last words:\n.*EUSAGE\n.*out of sync/],
])('%s becomes a sentence', (output, sentence) => {
  expect(sentenceFor(output).message).toMatch(sentence)
  expect(sentenceFor(output).message).not.toMatch(/\n\s+at /)
})

test.each([
  ['18.20.0', false],
  ['24.6.1', false],
  ['24.7.0', true],
  ['24.21.0', true],
  ['26.0.0', true],
])('Node %s is enough: %s', (version, enough) => {
  expect(isEnough(version)).toBe(enough)
})
