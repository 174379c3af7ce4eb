import { describe, expect, it } from 'vitest'
import { documentFailure } from '../../core/document-reader.ts'
import { findMedia } from '../../core/find-media.ts'
import { FetchRefused } from '../../core/guarded-fetch.ts'
import type { ImageDecoder, ImageFailureReason } from '../../core/image-decoder.ts'
import type { JsonObject } from '../../lib/json.ts'
import { RawTexts } from '../../lib/raw-texts.ts'
import { keepAliveEveryMs } from '../relay/stream-writer.ts'
import { createByteBudget } from './byte-budget.ts'
import type { MediaWork } from './load-medium.ts'
import { prepareMedia } from './prepare-media.ts'

const url = 'data:image/png;base64,AAAA'
const image = (address = url): JsonObject => ({ type: 'image_url', image_url: { url: address } })
const places = (...parts: JsonObject[]) => findMedia([{ role: 'user', content: parts }])
const seen = { kind: 'image', width: 64, height: 64, mediaType: 'image/png', converted: null } as const

interface Given {
  readonly decode?: ImageDecoder['decode']
  readonly fetch?: MediaWork['tools']['fetch']
  readonly budgetBytes?: number
  readonly sniffed?: string
  readonly seconds?: number | null
  readonly signal?: AbortSignal
}

function workWith({ decode, fetch, budgetBytes = 1_000_000_000, signal, sniffed, seconds = null }: Given): MediaWork {
  const budget = createByteBudget(budgetBytes)
  return {
    tools: {
      budget,
      sniff: async () => sniffed ?? 'image/png',
      images: { decode: decode ?? (async () => seen) },
      meter: { secondsOf: async () => seconds },
      documents: { read: async () => documentFailure('unreadable') },
      fetch: fetch ?? (() => Promise.reject(new FetchRefused('address'))),
    },
    share: budget.open('acct_test'),
    texts: new RawTexts('0123456789abcdef'),
    sizes: new Map(),
    accountId: 'acct_test',
    signal: signal ?? new AbortController().signal,
    canSee: true,
    takesGif: false,
    readsHeic: false,
  }
}

/** A host whose picture comes in pieces of so many bytes. */
function inPieces(...pieces: readonly number[]): MediaWork['tools']['fetch'] {
  return async ({ address, mayKeep }) => {
    if (!pieces.every(bytes => mayKeep?.(bytes))) throw new FetchRefused('busy')
    const bytes = Buffer.alloc(pieces.reduce((sum, piece) => sum + piece, 0))
    return { bytes, contentType: 'image/png', charset: null, address }
  }
}

const failing = (reason: ImageFailureReason) => workWith({ decode: async () => ({ kind: 'failure', reason }) })

describe('an image', () => {
  it.each(['unreadable', 'unsupported', 'too_many_pixels', 'too_large', 'timeout'] as const)(
    'that fails as %s is the caller’s to mend',
    async reason => {
      await expect(prepareMedia(places(image()), failing(reason))).rejects.toMatchObject({
        code: 'invalid_media',
        options: { param: 'messages.0.content.0.image_url.url' },
      })
    },
  )

  it('for which there is no room now may be sent again soon', async () => {
    const busy = { code: 'no_capacity', options: { retryAfterSeconds: 2 } }
    await expect(prepareMedia(places(image()), failing('busy'))).rejects.toMatchObject(busy)
    await expect(prepareMedia(places(image()), workWith({ budgetBytes: 2 }))).rejects.toMatchObject(busy)
    const fetch = () => Promise.reject(new FetchRefused('busy'))
    await expect(prepareMedia(places(image('https://a.com/')), workWith({ fetch }))).rejects.toMatchObject(busy)
    const far = workWith({ budgetBytes: 100, fetch: inPieces(50, 25, 1) })
    await expect(prepareMedia(places(image('https://a.com/')), far)).rejects.toMatchObject(busy)
  })

  it('that is fetched takes room for what has come of it, and for nothing else', async () => {
    const work = workWith({ budgetBytes: 100, fetch: inPieces(50, 25) })
    await prepareMedia(places(image('https://a.com/')), work)
    expect(work.share.take(1)).toBe(false)
    work.share.give(75)
    expect(work.share.take(75)).toBe(true)
  })

  it('that is fetched has come, or is refused, two seconds before the first keep-alive leaves', async () => {
    let within = Number.NaN
    const fetch: MediaWork['tools']['fetch'] = async ({ totalMs }) => {
      within = totalMs
      throw new FetchRefused('timeout')
    }
    const answer = prepareMedia(places(image('https://a.com/')), workWith({ fetch }))
    await expect(answer).rejects.toMatchObject({ code: 'invalid_media' })
    expect(within).toBeLessThanOrEqual(keepAliveEveryMs - 2_000)
  })

  it('that is a file leaves its room to the next one where it cannot be had', async () => {
    const file = (n: number): JsonObject => ({ type: 'file', file: { file_data: `https://a.com/${n}` } })
    const fetch: MediaWork['tools']['fetch'] = async ({ mayKeep }) => {
      expect(mayKeep?.(75)).toBe(true)
      throw new FetchRefused('unreachable')
    }
    for (const address of [1, 2]) {
      const work = workWith({ budgetBytes: 100, fetch })
      await prepareMedia(places(file(address)), work)
      expect(work.share.take(75)).toBe(true)
    }
  })

  it('that nobody may look at is refused', async () => {
    await expect(prepareMedia(places(image()), failing('disabled'))).rejects.toMatchObject({ code: 'not_configured' })
  })

  it.each([
    [63, 64],
    [64, 63],
    [16_385, 64],
  ])('of %i by %i pixels is refused', async (width, height) => {
    const work = workWith({ decode: async () => ({ ...seen, width, height }) })
    await expect(prepareMedia(places(image()), work)).rejects.toMatchObject({ code: 'invalid_media' })
  })
})

describe('several media', () => {
  it('are prepared four at a time', async () => {
    let [running, most] = [0, 0]
    const decode = async () => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      return seen
    }
    const parts = await prepareMedia(places(...Array.from({ length: 10 }, () => image())), workWith({ decode }))
    expect([parts.size, most]).toEqual([10, 4])
  })

  it('end with the first that fails: no other is begun, and those that run are told', async () => {
    const signals: AbortSignal[] = []
    const decode: ImageDecoder['decode'] = (_image, signal) => {
      signals.push(signal)
      return signals.length === 2 ? Promise.resolve({ kind: 'failure', reason: 'unreadable' }) : endOf(signal)
    }
    const many = places(...Array.from({ length: 10 }, () => image()))
    await expect(prepareMedia(many, workWith({ decode }))).rejects.toMatchObject({ code: 'invalid_media' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true])
  })

  it('end when the caller leaves', async () => {
    const caller = new AbortController()
    const work = workWith({ decode: (_image, signal) => endOf(signal), signal: caller.signal })
    const answer = prepareMedia(places(image(), image()), work)
    caller.abort(new Error('gone'))
    await expect(answer).rejects.toThrow('gone')
  })
})

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

describe('the budget of bytes', () => {
  it('is whole again when its shares are closed', () => {
    const budget = createByteBudget(100)
    const [first, second] = [budget.open('a'), budget.open('b')]
    expect([first.take(60), second.take(40), second.take(30), first.take(1)]).toEqual([true, false, true, false])
    first.give(1_000)
    expect(second.take(45)).toBe(true)
    second.close()
    first.close()
    expect(first.take(1)).toBe(false)
    expect([budget.open('a').take(76), budget.open('a').take(75)]).toEqual([false, true])
  })

  it('leaves a quarter to others, in however many requests one account takes', () => {
    const budget = createByteBudget(100)
    const greedy = Array.from({ length: 10 }, () => budget.open('greedy').take(10))
    expect(greedy.filter(taken => taken)).toHaveLength(7)
    expect(budget.open('late').take(22)).toBe(true)
  })
})

describe('a film behind an address', () => {
  it.each([
    [null, 20],
    [7.5, 7.5],
    [1e9, 20],
  ])('of which %s seconds were counted is held at %i', async (seconds, held) => {
    const bytes = Buffer.alloc(20_000)
    const fetch = async () => ({ bytes, contentType: 'video/mp4' }) as never
    const work = workWith({ fetch, seconds, sniffed: 'video/mp4' })
    await prepareMedia(places({ type: 'video_url', video_url: { url: 'https://a.com/' } }), work)
    expect([...work.sizes.values()]).toEqual([{ kind: 'video', seconds: held }])
  })
})
