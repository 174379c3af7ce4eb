import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withFolderLock } from './folder-lock.ts'

let folder: string
const lock = () => join(folder, 'lock')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a folder lock', () => {
  it('lets one run at a time, and hands on what it comes to', async () => {
    let running = 0
    const work = (name: string) =>
      withFolderLock(lock(), 10_000, async () => {
        running += 1
        expect(running).toBe(1)
        await sleep(20)
        running -= 1
        return name
      })
    expect(await Promise.all([work('a'), work('b'), work('c')])).toEqual(['a', 'b', 'c'])
  })

  it('is free again after a run that failed', async () => {
    await expect(withFolderLock(lock(), 10_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await withFolderLock(lock(), 10_000, async () => 'next')).toBe('next')
  })

  it('is taken over from a run that was killed', async () => {
    await mkdir(lock())
    const hourAgo = new Date(Date.now() - 3_600_000)
    await utimes(lock(), hourAgo, hourAgo)
    expect(await withFolderLock(lock(), 10_000, async () => 'taken over')).toBe('taken over')
  })
})
