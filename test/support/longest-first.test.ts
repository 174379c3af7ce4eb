import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longFiles } from './longest-first.ts'

test('names each long file once, as it is called today', () => {
  expect(longFiles.filter(file => !existsSync(file))).toEqual([])
  expect(new Set(longFiles).size).toBe(longFiles.length)
})
