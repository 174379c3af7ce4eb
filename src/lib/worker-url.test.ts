import { expect, it } from 'vitest'
import { workerUrl } from './worker-url.ts'

it.each([
  ['file:///app/src/adapters/storage/sqlite/a-worker.ts', 'file:///app/dist/adapters/storage/sqlite/a-worker.js'],
  ['file:///app/dist/adapters/storage/sqlite/a-worker.ts', 'file:///app/dist/adapters/storage/sqlite/a-worker.js'],
  ['file:///src/adapters/dist/adapters/storage/x.ts', 'file:///src/adapters/dist/adapters/storage/x.js'],
])('%s runs from %s', (source, compiled) => {
  expect(workerUrl(new URL(source)).href).toBe(compiled)
})
