import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'

const outputUrl = new URL('standard-output.ts', import.meta.url).href
const deadlineMs = 20_000

/** Runs lines of a program whose standard output is a pipe to this test. */
function run(program: string): ChildProcessByStdio<null, Readable, Readable> {
  const code = `import { openStandardOutput } from '${outputUrl}'\n${program}`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: deadlineMs,
  })
}

test('everything that was written before the process exits arrives, in order', async () => {
  const child = run(`
    const output = openStandardOutput(() => {})
    for (let line = 0; line < 20000; line += 1) output.write(line + '\\n')
    process.exit(3)`)
  const [written, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(code).toBe(3)
  expect(written).toBe(Array.from({ length: 20_000 }, (_, line) => `${line}\n`).join(''))
})

test('a few lines arrive without waiting for more, and flushing waits for them', async () => {
  const child = run(`
    const output = openStandardOutput(() => {})
    output.write('one\\n')
    await output.flush()
    process.stderr.write('flushed')
    setTimeout(() => output.write('two\\n'), 50)
    setTimeout(() => {}, 1000)`)
  const [written, flushed] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(flushed).toBe('flushed')
  expect(written).toBe('one\ntwo\n')
})

test('a reader that left does not end the process', async () => {
  const child = run(`
    const output = openStandardOutput(() => {})
    let line = 0
    const timer = setInterval(() => { for (let at = 0; at < 500; at += 1) output.write('line ' + (line += 1) + '\\n') }, 5)
    setTimeout(async () => { clearInterval(timer); await output.flush(); process.stderr.write('alive') }, 500)`)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(said).toBe('alive')
  expect(code).toBe(0)
})

test('a reader that is too slow loses lines, nobody waits for it, and it hears how many', async () => {
  const child = run(`
    const output = openStandardOutput(lines => output.write('lost ' + lines + '\\n'))
    const line = 'x'.repeat(1023) + '\\n'
    for (let at = 0; at < 20000; at += 1) output.write(line)
    process.stderr.write('went on')
    setTimeout(() => {}, 3000)`)
  await once(child.stderr, 'data')
  await wait(200)
  const lines = (await text(child.stdout)).trimEnd().split('\n')
  const lost = lines.filter(line => line.startsWith('lost ')).map(line => Number(line.slice(5)))
  const whole = lines.filter(line => line === 'x'.repeat(1_023)).length
  expect(whole).toBeGreaterThan(7_000)
  expect(whole).toBeLessThan(9_000)
  expect(lost.reduce((sum, count) => sum + count, 0)).toBe(20_000 - whole)
  expect(lines).toHaveLength(whole + lost.length)
})

test('lines of processes that share a pipe stay whole, also when its reader is slow', async () => {
  const lineCount = 1_000
  const writer = (letter: string) => `import { openStandardOutput } from '${outputUrl}'
    const shared = openStandardOutput(() => {}, { isShared: true })
    for (let line = 0; line < ${lineCount}; line += 1) shared.write('${letter}'.repeat(100 + (line * 37) % 3900) + '\\n')
    await shared.flush()`
  const node = `"${process.execPath}" --import tsx --input-type=module -e`
  const writers = ['a', 'b', 'c'].map(letter => `${node} "$${letter}" &`).join(' ')
  const environment = Object.fromEntries(['a', 'b', 'c'].map(letter => [letter, writer(letter)]))
  const child = spawn('sh', ['-c', `{ ${writers} wait; } | { sleep 1; cat; }`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
    timeout: deadlineMs,
  })
  const lines = (await text(child.stdout)).trimEnd().split('\n')
  expect(lines).toHaveLength(3 * lineCount)
  expect(lines.filter(line => !/^(a+|b+|c+)$/.test(line))).toEqual([])
})
