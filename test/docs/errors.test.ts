import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../support/gateway/index.ts'
import { type DocsGateway, slowLaneSettings, startDocsGateway } from './docs-gateway.ts'
import { errorCases } from './error-cases.ts'
import { type Block, codeSpans } from './markdown.ts'
import { differences } from './match-output.ts'
import { examplePages, pageNamed } from './pages.ts'

interface ErrorJson {
  readonly error: { readonly code: string; readonly type: string }
}

const startMs = 120_000
const shown = examplePages.flatMap(({ blocks }) => blocks.filter(({ words }) => words.includes('error')))

let docs: DocsGateway
beforeAll(async () => {
  docs = await startDocsGateway(slowLaneSettings)
}, startMs)
afterAll(() => docs?.close(), startMs)

describe('the errors that the pages show', () => {
  test.each(shown.map(block => [`${block.page}, line ${block.line}: ${codeOf(block)}`, block] as const))(
    '%s is what the gateway answers, with the status of the table',
    async (_, block) => {
      const ask = errorCases[codeOf(block)]
      if (ask === undefined) throw new Error(`no case provokes ${codeOf(block)}`)
      const answer = await ask(docs)
      expect(differences(JSON.parse(answer.text), JSON.parse(block.text))).toEqual([])
      expect(rowsFor(codeOf(block))).toContainEqual([String(answer.status), typeOf(block)])
      expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{24}$/)
    },
  )

  test('are provoked by cases that are all shown', () => {
    expect(new Set(shown.map(codeOf))).toEqual(new Set(Object.keys(errorCases)))
  })

  test('leave exact books and no secret in the log', async () => {
    expect(await findViolations(docs.gateway)).toEqual([])
  })
})

function codeOf({ text }: Block): string {
  return (JSON.parse(text) as ErrorJson).error.code
}

function typeOf({ text }: Block): string {
  return (JSON.parse(text) as ErrorJson).error.type
}

/** Status and type of the rows of the table of all codes that are about this one. */
function rowsFor(code: string): string[][] {
  const rows = pageNamed('errors').tables[0]?.rows ?? []
  return rows
    .filter(row => codeSpans(row[2] ?? '')[0] === code)
    .map(([status = '', type = '']) => [status, ...codeSpans(type)])
}
