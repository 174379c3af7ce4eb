import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, type Gateway } from '../support/gateway/index.ts'
import { readerEnvironment, startDocsGateway } from './docs-gateway.ts'
import { type Example, examplesOf, type ProgramLanguage } from './examples-of.ts'
import { differences, matchesText } from './match-output.ts'
import { examplePages } from './pages.ts'
import { type ExampleRun, hasPythonClient, prepareDesk, runExample } from './run-example.ts'

const startMs = 120_000
const exampleMs = 90_000

const pythonWorks = await hasPythonClient()

describe.each(examplePages)('the examples of docs/$name', page => {
  let gateway: Gateway
  let programs: string

  beforeAll(async () => {
    gateway = await startDocsGateway()
    programs = await prepareDesk(gateway.installation)
  }, startMs)
  afterAll(() => gateway?.close(), startMs)

  for (const example of examplesOf(page)) {
    const { language } = example.block
    test.skipIf(language === 'python' && !pythonWorks)(
      `${example.title}, runs and prints what the page shows`,
      async () => {
        const run = await runOn(gateway, { programs, example })
        expect(run, run.stderr).toMatchObject({ code: 0 })
        if (example.output !== null) expectShown(run, example.output)
      },
      exampleMs,
    )
  }

  test(
    'leave exact books and no secret in the log',
    async () => {
      expect(await findViolations(gateway)).toEqual([])
    },
    exampleMs,
  )
})

async function runOn(
  gateway: Gateway,
  { programs, example: { block } }: { programs: string; example: Example },
): Promise<ExampleRun> {
  const environment = await readerEnvironment(gateway, { programs, words: block.words })
  const name = `${block.page}-${block.line}`
  return runExample(gateway.installation, {
    language: block.language as ProgramLanguage,
    text: block.text,
    name,
    environment,
  })
}

function expectShown({ stdout }: ExampleRun, { language, text }: NonNullable<Example['output']>): void {
  if (language === 'json') expect(differences(JSON.parse(stdout), JSON.parse(text))).toEqual([])
  else if (!matchesText(stdout, text)) expect(stdout).toBe(text)
}
