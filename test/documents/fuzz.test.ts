import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createMutator, type Mutator } from '../support/documents/mutate-file.ts'
import { fixture, useDocuments } from '../support/documents/use-documents.ts'

/** Thousands of files in the long run; here one of each, which take a few seconds. */
const isLong = process.env['RIALTO_TEST_LONG'] !== undefined
const roundsMax = isLong ? 300 : 1
const together = 4
const seed = Number(process.env['RIALTO_TEST_SEED'] ?? 20_261_130)

const documents = useDocuments()
const names = readdirSync(new URL('../fixtures/documents', import.meta.url)).filter(name =>
  /\.(pdf|docx|pptx|xlsx|xls|epub)$/.test(name),
)
const texts: Readonly<Record<string, Buffer>> = {
  'notes.md': Buffer.from('# Notes\n\n| a | b |\n| --- | --- |\n| ä | € |\n'.repeat(20)),
  'utf16.txt': Buffer.from(`\ufeff${'UTF-16, Ärger und 日本語\r\n'.repeat(20)}`, 'utf16le'),
  'data.json': Buffer.from(JSON.stringify({ list: Array.from({ length: 50 }, (_, at) => ({ at })) })),
}

/** What a file that is neither read nor a picture may be called. Never a passing failure: nothing of it is the file's. */
const reasons = ['encrypted', 'no_text', 'too_large', 'timeout', 'unreadable', 'unsupported']

describe('a file that was harmed is text, a picture or a failure', () => {
  it('of each format, and the next file is read', { timeout: isLong ? 7_200_000 : 60_000 }, async () => {
    const mutators = [...names, ...Object.keys(texts)].map(name => [name, createMutator(`${seed} ${name}`)] as const)
    for (let round = 0; round < roundsMax; round += 1) {
      for (let at = 0; at < mutators.length; at += together)
        await Promise.all(mutators.slice(at, at + together).map(([name, mutate]) => readHarmed(name, mutate)))
      expect(await documents.readBytes(Buffer.from(`after ${round}`))).toMatchObject({ text: `after ${round}` })
    }
  })
})

async function readHarmed(name: string, mutate: Mutator): Promise<void> {
  const { bytes, what } = mutate(texts[name] ?? fixture(name))
  const reading = await documents.readBytes(bytes, { name })
  if (reading.kind === 'failure') expect(reasons, `${name}, ${what}, seed ${seed}`).toContain(reading.reason)
}
