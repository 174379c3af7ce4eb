import { describe, expect, it } from 'vitest'
import { StoreConflict } from '../../src/core/store-error.ts'
import { changeDocument } from '../../src/domain/replicas/change-document.ts'
import { documentBytesMax } from '../../src/domain/replicas/types.ts'
import { random } from './builders.ts'
import type { OpenStorage } from './open-test-storage.ts'

export function documentsSuite(open: OpenStorage): void {
  const newName = () => `document-${random.hex(4)}`
  const content = (text: string) => Buffer.from(text)

  describe('documents: what all gateways follow', () => {
    it('gives what was written since a version, byte for byte, and nothing that is older', async () => {
      const { documents } = await open()
      const [first, second, bytes] = [newName(), newName(), random.bytes(100_000)]
      const one = await documents.write(first, content('1'), 0)
      const two = await documents.write(second, bytes, 0)
      expect(two).toBeGreaterThan(one)
      expect(await documents.readSince(one)).toEqual({
        version: two,
        documents: [{ name: second, version: two, content: bytes }],
      })
      expect(await documents.readSince(two)).toEqual({ version: two, documents: [] })
      const all = await documents.readSince(0)
      expect(all.documents.map(({ name }) => name)).toEqual(expect.arrayContaining([first, second]))
    })

    it('lets nobody replace what somebody else has written since', async () => {
      const { documents } = await open()
      const name = newName()
      await expect(documents.write(name, content('x'), 7)).rejects.toThrow(StoreConflict)
      const first = await documents.write(name, content('a'), 0)
      await expect(documents.write(name, content('b'), 0)).rejects.toThrow(StoreConflict)
      const second = await documents.write(name, content('c'), first)
      await expect(documents.write(name, content('d'), first)).rejects.toThrow(StoreConflict)
      const { documents: found, version } = await documents.readSince(first)
      expect([found, version]).toEqual([[{ name, version: second, content: content('c') }], second])
    })

    it('keeps every one of many changes at the same moment', async () => {
      const { documents } = await open()
      const name = newName()
      const add = (digit: number) =>
        changeDocument(documents, name, found => ({
          content: content(`${found?.content ?? ''}${digit}`),
          outcome: digit,
        }))
      await Promise.all([0, 1, 2, 3, 4, 5].map(add))
      const found = (await documents.readSince(0)).documents.find(document => document.name === name)
      expect([...String(found?.content)].sort().join('')).toBe('012345')
    })

    it('takes no document that is longer than four mebibytes', async () => {
      const { documents } = await open()
      await expect(documents.write(newName(), Buffer.alloc(documentBytesMax + 1), 0)).rejects.toThrow(RangeError)
    })
  })
}
