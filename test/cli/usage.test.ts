import { describe, expect, it } from 'vitest'
import { rialto, useInstallation } from './installation.ts'

const installation = useInstallation()

const commands = [
  'serve',
  'init',
  'doctor',
  'account create',
  'account set',
  'account list',
  'account show',
  'credit',
  'key create',
  'key list',
  'key revoke',
  'models',
  'engines',
  'chat',
  'index add',
  'index list',
  'index remove',
  'config publish',
  'config show',
  'migrate sqlite-to-postgres',
  'migrate undo',
  'ledger verify',
  'ledger statement',
  'bench',
]

describe('help', () => {
  it('lists every command that there is, and none of a later version', async () => {
    const { code, stdout, stderr } = await rialto(installation, ['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const name of new Set(commands.map(command => command.split(' ')[0])))
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect(stdout).not.toMatch(/^ {2}(wallet|pay|review|enclave) /m)
  })

  it.each(commands)('of %s says how it is used', async command => {
    const { code, stdout, stderr } = await rialto(installation, [...command.split(' '), '--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Usage: rialto ${command}`)
    expect(stdout).toContain('--help')
  })

  it('is what an incomplete command shows, on stderr and without success', async () => {
    for (const words of [[], ['account']]) {
      const { code, stdout, stderr } = await rialto(installation, words)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('Commands:')
    }
  })

  it('comes without colours where nobody sees them', async () => {
    const { stdout } = await rialto(installation, ['--help'], { environment: { NO_COLOR: '1' } })
    expect(stdout).not.toContain('\u001b')
  })

  it('has the version beside it', async () => {
    expect(await rialto(installation, ['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' })
  })
})

describe('a command line that is wrong', () => {
  it.each([
    ['acount list', 'unknown command "acount"; did you mean "account"?'],
    ['account lst', 'unknown command "account lst"; did you mean "account list"?'],
    ['wallet status', 'unknown command "wallet"; rialto --help lists what there is.'],
    ['--verbose', 'unknown option --verbose'],
    ['serve --workers 0', '--workers must be a whole number from 1 to 64.'],
    ['serve --workers 65', '--workers must be a whole number from 1 to 64.'],
    ['serve --forks 2', 'unknown option --forks'],
    ['serve --prt 1', 'unknown option --prt; did you mean --port?'],
    ['serve --port 99999', '--port must be a whole number from 0 to 65535.'],
    ['chat --e2ee', 'unknown option --e2ee'],
    ['chat --url ftp://x', '--url must be the address of a gateway'],
    ['account create', 'NAME is missing.'],
    ['account create a b', 'unexpected argument "b".'],
    ['account create a --credit ten', '--credit must be dollars'],
    ['account create a --mode hard', '--mode must be one of soft, strict.'],
    ['account set a', 'nothing to change'],
    ['credit a', 'AMOUNT is missing.'],
    ['credit a 0', 'AMOUNT must be more than 0.'],
    ['credit a 1 --currency euro', '--currency must be one of usd, bundled, earned.'],
    ['key create', '--account is missing.'],
    ['key create --account a --expires soon', '--expires must be a date'],
    ['ledger statement a --from 2027-02-01 --to 2027-01-01', '--to must be after --from.'],
  ])('%s: one readable message and code 2', async (line, message) => {
    const { code, stdout, stderr } = await rialto(installation, line.split(' '))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^rialto: /)
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it('is one JSON object on stderr where JSON is wanted', async () => {
    const { code, stdout, stderr } = await rialto(installation, ['credit', 'a', '0', '--json'])
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toEqual({ error: { message: 'AMOUNT must be more than 0.' } })
  })
})
