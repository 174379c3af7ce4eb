import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isMissing } from '../support/missing.ts'
import { longestStopSeconds, readText, root, stopMarginSeconds } from './deploy-files.ts'
import { runChecker, succeeds } from './run-checker.ts'

const unit = readText('deploy/systemd/rialto.service')
const settings = readSettings(unit)
const hasSystemd = succeeds('systemd-analyze', ['--version'])

/** 0 is no exposure, 10 is none of the walls. Versions of systemd differ a little in how they count. */
const exposureMax = 2

const folder = mkdtempSync(join(tmpdir(), 'rialto-unit-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(isMissing(hasSystemd, 'systemd is not installed'))('rialto.service, to systemd', () => {
  test('is a unit without a mistake', () => {
    expect(verify(unit)).toEqual({ code: 0, output: '' })
  })

  test('would be found wanting with a key that systemd does not know', () => {
    expect(verify(unit.replace('TimeoutStopSec', 'TimeoutStopSecs')).output).toContain('TimeoutStopSecs')
  })

  test('stands behind walls', () => {
    const file = writeUnit(unit)
    const threshold = `--threshold=${exposureMax * 10}`
    const verdict = runChecker('systemd-analyze', ['security', '--offline=true', '--no-pager', threshold, file])
    expect(verdict, verdict.output).toMatchObject({ code: 0 })
  })

  test('has a user that systemd can make', () => {
    const file = join(root, 'deploy/systemd/rialto.sysusers')
    const verdict = runChecker('systemd-sysusers', ['--dry-run', `--root=${folder}`, file])
    expect(verdict, verdict.output).toMatchObject({ code: 0 })
    expect(readText('deploy/systemd/rialto.sysusers')).toMatch(/^u rialto - /m)
  })
})

describe('rialto.service', () => {
  test('lets streams end, and tells only the main process, because a second signal ends it at once', () => {
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThanOrEqual(longestStopSeconds() + stopMarginSeconds)
    expect(Object.fromEntries(settings)).toMatchObject({ KillMode: 'mixed', KillSignal: 'SIGTERM' })
  })

  test('starts again whatever ended it, for ever, and not at once', () => {
    expect(Object.fromEntries(settings)).toMatchObject({ Restart: 'always', StartLimitIntervalSec: '0' })
    expect(Number(settings.get('RestartSec'))).toBeGreaterThan(0)
  })

  test('may write its data folder only, as a user of its own', () => {
    expect(Object.fromEntries(settings)).toMatchObject({
      User: 'rialto',
      ProtectSystem: 'strict',
      NoNewPrivileges: 'yes',
      StateDirectory: 'rialto',
      StateDirectoryMode: '0700',
    })
    expect(settings.get('Environment')).toContain('RIALTO_DATA=/var/lib/rialto')
    expect(settings.has('ReadWritePaths')).toBe(false)
  })

  test('is where the command beside it looks too', () => {
    const command = readText('deploy/systemd/rialto')
    expect(runChecker('sh', ['-n', join(root, 'deploy/systemd/rialto')])).toEqual({ code: 0, output: '' })
    const [node, program] = (settings.get('ExecStart') ?? '').split(' ')
    expect(command).toContain(`-- ${node} ${program} "$@"`)
    expect(command).toContain(`--uid=${settings.get('User')} `)
    expect(command).toContain(`--working-directory=${settings.get('WorkingDirectory')} `)
    expect(command).toContain(`EnvironmentFile=${settings.get('EnvironmentFile')} `)
    expect(command).toContain('--setenv=RIALTO_DATA=/var/lib/rialto')
  })

  test('holds no secret, nor does the file beside it', () => {
    expect(unit).not.toMatch(/SECRET|TOKEN|PASSWORD/)
    expect(readText('deploy/systemd/rialto.env.example')).toMatch(/^RIALTO_SECRET=\nRIALTO_ADMIN_TOKEN=$/m)
  })

  test('lies with nothing that is not described', () => {
    const names = readdirSync(join(root, 'deploy/systemd'))
    const page = readText('docs/deploying.md')
    expect(names.filter(name => !page.includes(`deploy/systemd/${name}`))).toEqual([])
  })
})

/** The unit with a program that is on this machine, for which systemd looks. */
function writeUnit(text: string): string {
  const file = join(folder, 'rialto.service')
  writeFileSync(file, text.replace('/usr/bin/node', process.execPath))
  return file
}

function verify(text: string) {
  return runChecker('systemd-analyze', ['verify', '--man=no', writeUnit(text)])
}

/** The last value of each key, whatever its section. */
function readSettings(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]))
}
