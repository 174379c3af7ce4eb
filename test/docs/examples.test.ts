import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { preparePython } from '../clients/python/prepare-python.ts'
import { findViolations } from '../support/gateway/index.ts'
import { type DocsGateway, pageSettings, readerEnvironment, startDocsGateway } from './docs-gateway.ts'
import { type Example, examplesOf, type ProgramLanguage } from './examples-of.ts'
import { differences, matchesText } from './match-output.ts'
import { examplePages } from './pages.ts'
import { type ExampleRun, prepareDesk, runExample } from './run-example.ts'

const startMs = 120_000
const exampleMs = 90_000

const python = await preparePython()

describe.each(examplePages)('the examples of $name', page => {
  let docs: DocsGateway

  beforeAll(async () => {
    docs = await startDocsGateway(pageSettings)
    await prepareDesk(docs.gateway.installation)
  }, startMs)
  afterAll(() => docs?.close(), startMs)

  for (const example of examplesOf(page)) {
    const { language } = example.block
    test.skipIf(language === 'python' && !('program' in python))(
      `${example.title}, runs and prints what the page shows`,
      async () => {
        const run = await runOnDesk(docs, example)
        expect(run, run.stderr).toMatchObject({ code: 0 })
        if (example.output !== null) expectShown(run, example.output)
      },
      exampleMs,
    )
  }

  test(
    'leave exact books and no secret in the log',
    async () => {
      expect(await findViolations(docs.gateway)).toEqual([])
    },
    exampleMs,
  )
})

async function runOnDesk(docs: DocsGateway, { block }: Example): Promise<ExampleRun> {
  const { language, text, page, line } = block
  return runExample(docs.gateway.installation, {
    language: language as ProgramLanguage,
    text,
    name: `${page}-${line}`,
    environment: await readerEnvironment(docs, block),
    python: 'program' in python ? python.program : '',
  })
}

function expectShown({ stdout }: ExampleRun, { language, text }: NonNullable<Example['output']>): void {
  if (language === 'json') expect(differences(JSON.parse(stdout), JSON.parse(text))).toEqual([])
  else if (!matchesText(stdout, text)) expect(stdout).toBe(text)
}
