import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import config from '../../../rolldown.config.ts'

/** Of the reader's own modules: what a test runs in a process of its own, or of another user. */
const parts = fileURLToPath(new URL('./document-parts.ts', import.meta.url))

/** Builds them as one file beside the programs of the gateway, and says where it is and how it goes. */
export async function buildDocuments(): Promise<{ readonly address: string; remove(): void }> {
  const address = new URL(`../../../dist/document-parts-${process.pid}.js`, import.meta.url)
  const file = fileURLToPath(address)
  await build({ ...config, input: parts, output: { file, format: 'esm', codeSplitting: false } })
  return { address: address.href, remove: () => rmSync(file) }
}
