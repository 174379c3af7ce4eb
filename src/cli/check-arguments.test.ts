import type { ArgsDef } from 'citty'
import { describe, expect, it } from 'vitest'
import { checkArguments } from './check-arguments.ts'
import { UsageError } from './command-error.ts'

const known: ArgsDef = {
  name: { type: 'positional', required: true },
  file: { type: 'positional', required: false },
  account: { type: 'string', required: true },
  'limit-usd': { type: 'string' },
  mode: { type: 'enum', options: ['soft', 'strict'] },
  pro: { type: 'boolean' },
}

function check(line: string): void {
  checkArguments(line === '' ? [] : line.split(' '), known)
}

describe('a command line', () => {
  it.each([
    'alice --account a',
    'alice out.txt --account=a --limit-usd 3 --mode strict --pro',
    '--account a --no-pro alice',
    '--account a -- --odd-name',
    'alice --account=-dash',
  ])('%s is accepted', line => {
    expect(() => check(line)).not.toThrow()
  })

  it.each([
    ['alice --account a --limit-us 3', 'unknown option --limit-us; did you mean --limit-usd?'],
    ['alice --account a --zzz', 'unknown option --zzz'],
    ['alice --account a -x', 'unknown option -x'],
    ['alice --account a --no-account', 'unknown option --no-account; did you mean --account?'],
    ['alice', '--account is missing.'],
    ['--account a', 'NAME is missing.'],
    ['alice b c --account a', 'unexpected argument "c".'],
    ['alice --account', '--account needs a value.'],
    ['alice --account=', '--account needs a value.'],
    ['alice --account --pro', '--account needs a value.'],
    ['alice --account a --account b', '--account is given twice.'],
    ['alice --account a --pro --no-pro', '--pro is given twice.'],
    ['alice --account a --pro=yes', '--pro takes no value.'],
    ['alice --account a --mode hard', '--mode must be one of soft, strict.'],
  ])('%s is refused: %s', (line, message) => {
    expect(() => check(line)).toThrow(new UsageError(message))
  })
})
