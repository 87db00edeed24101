import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailstead-run-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const program = `
let told = 0
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    told += 1
    console.log('told', signal)
    setTimeout(() => { console.log('ended after', told); process.exit(7) }, 400)
  })
console.log('ready', process.argv.slice(2).join(' '))
setInterval(() => {}, 1000)
`

const launch = (text = program, endWithinMs = 60_000, more = {}) => {
  const path = join(folder, 'program.mjs')
  writeFileSync(path, text)
  const url = JSON.stringify(new URL('./run-program.js', import.meta.url).href)
  const code = `import { runProgram } from ${url}
    process.exitCode = await runProgram(process.execPath, ${JSON.stringify(path)}, ['--some', 'words'], ${endWithinMs})`
  const { npm_lifecycle_event: _, ...env } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...env, ...more },
  })
  const seen = { output: '' }
  const waiting = []
  child.stdout.setEncoding('utf8').on('data', (text) => {
    seen.output += text
    for (const check of waiting) check()
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    seen.output += text
  })
  const says = (words) =>
    new Promise((resolve) => {
      const check = () => seen.output.includes(words) && resolve()
      waiting.push(check)
      check()
    })
  const exit = new Promise((resolve) => child.on('exit', resolve))
  return { child, seen, says, exit }
}

test('passes arguments, tells of a doubled signal once, waits, and passes the exit code on', async () => {
  const { child, seen, says, exit } = launch()
  await says('ready --some words')
  child.kill('SIGINT')
  child.kill('SIGINT')
  await says('told SIGINT')
  child.kill('SIGTERM')
  expect(await exit).toBe(7)
  expect(seen.output).toContain('ended after 1')
})

test('ends the program cleanly when the launcher is killed outright', async () => {
  const { child, seen, says } = launch()
  await says('ready')
  child.kill('SIGKILL')
  await says('ended after 1')
  expect(seen.output).toMatch(/told SIG(INT|TERM)\nended after 1\n$/)
})

test('what the program forks is told what to do', async () => {
  const forks = `
    import { fork } from 'node:child_process'
    import { fileURLToPath } from 'node:url'
    if (process.argv[2] === 'forked') process.on('message', (word) => process.send(word + ' done'))
    else {
      const child = fork(fileURLToPath(import.meta.url), ['forked'])
      child.on('message', (word) => { console.log(word); child.disconnect() })
      child.on('exit', (code) => console.log('exit', code))
      child.send('work')
    }
  `
  const { seen, exit } = launch(forks)
  await exit
  expect(seen.output).toBe('work done\nexit 0\n')
})

/** Never returns to the event loop, so it handles no signal. */
const deaf = "process.on('SIGTERM', () => {}); process.stdout.write('ready', () => { for (;;); })\n"

test('ends a program that does not end in time', async () => {
  const { child, says, exit } = launch(deaf, 200)
  await says('ready')
  child.kill('SIGTERM')
  expect(await exit).toBe(128 + 9)
})

test('ends a program at once when somebody insists', async () => {
  const { child, says, exit } = launch(deaf)
  await says('ready')
  child.kill('SIGTERM')
  // Repeats like a user; a signal after the program's end would end the launcher itself.
  const insist = setInterval(() => child.kill('SIGTERM'), 1_200)
  try {
    expect(await exit).toBe(128 + 9)
  } finally {
    clearInterval(insist)
  }
})

test('tells systemd when the program is ready and when it stops, and the program nothing of it', async () => {
  const told = join(folder, 'told')
  const tool = `#!/bin/sh\necho "$1 $NOTIFY_SOCKET" >> ${told}\n`
  writeFileSync(join(folder, 'systemd-notify'), tool, { mode: 0o755 })
  const more = { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/notify' }
  const { child, seen, says, exit } = launch(
    `process.on('SIGTERM', () => process.exit(0))
     process.send('ready', () => console.log('socket', process.env.NOTIFY_SOCKET))
     setInterval(() => {}, 1000)`,
    60_000,
    more,
  )
  await says('socket undefined')
  const lines = () => {
    try {
      return readFileSync(told, 'utf8')
    } catch {
      return ''
    }
  }
  await expect.poll(lines).toBe('READY=1 /run/notify\n')
  child.kill('SIGTERM')
  await exit
  await expect.poll(lines).toBe('READY=1 /run/notify\nSTOPPING=1 /run/notify\n')
  expect(seen.output).not.toContain('was not told')
})
