import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDocuments } from '../../src/adapters/documents/open-documents.ts'
import { sniffType } from '../../src/adapters/media/sniff-type.ts'
import { openBody } from '../../src/dialects/openai/read-body.ts'
import { decodeChat } from '../../src/dialects/venym/decode-chat.ts'
import { RawTexts } from '../../src/lib/raw-texts.ts'
import { forwardDraft } from '../../src/pipeline/compose/forward-draft.ts'
import { createByteBudget } from '../../src/pipeline/media/byte-budget.ts'
import { prepareMedia } from '../../src/pipeline/media/prepare-media.ts'
import { realClock } from '../engines/real-clock.ts'
import { countCpuMs } from '../support/lapse.ts'
import { dataUrl } from '../support/media/pictures.ts'
import { testModel } from '../support/model-builder.ts'

/** What may stand still in the way of all other requests. */
const blockedMsMax = 50
const runs = 5
const resolutionMs = 5
/** For what other programs did in one measurement and not in the other. */
const slack = 1.5

const documents = openDocuments({
  childrenMax: 1,
  memoryBytesMax: 536_870_912,
  cpuMsMax: 20_000,
  wallMsMax: 30_000,
  clock: realClock,
  timers: { every: () => () => undefined, after: () => () => undefined } as never,
})
afterAll(() => documents.close())

let body: Buffer
beforeAll(async () => {
  // Noise does not compress: a picture of 9 MB, 12 MB in base64.
  const raw = { width: 1_740, height: 1_740, channels: 3 } as const
  const png = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const part = { type: 'image_url', image_url: { url: dataUrl('image/png', png) } }
  body = Buffer.from(JSON.stringify({ model: 'test/model', messages: [{ role: 'user', content: [part] }] }))
})

/** From the body that came to the body that leaves. */
async function serve(): Promise<void> {
  const { content } = decodeChat(await openBody(body))
  if (content.kind !== 'forwarded') throw new Error('a body of this surface is forwarded')
  await turn()
  const model = testModel({ capabilities: { ...testModel({}).capabilities, vision: true } })
  const draft = forwardDraft(content, model)
  const budget = createByteBudget(1_000_000_000)
  const texts = new RawTexts('0123456789abcdef')
  const sizes = new Map()
  const parts = await prepareMedia(draft.media, {
    ...{
      texts,
      sizes,
      share: budget.open('acct_test'),
      canSee: true,
      takesGif: false,
      readsHeic: false,
      accountId: 'acct_test' as never,
    },
    tools: {
      images: documents.decoder,
      documents: documents.reader,
      meter: documents.meter,
      sniff: sniffType,
      budget,
      fetch: never,
    },
    signal: new AbortController().signal,
  })
  await turn()
  const { body: written } = await draft.write({ parts, texts, sizes })
  expect(written.bytes.length).toBeGreaterThan(body.length - 1_000)
}

const never = () => Promise.reject(new Error('nothing is fetched here'))
/** Long enough for the watch to look. */
const pause = () => new Promise(resolve => setTimeout(resolve, 4 * resolutionMs))
const turn = () => new Promise(resolve => setImmediate(resolve))

/** The longest time for which nothing else ran. */
async function standstillMs(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  await pause()
  await work()
  await pause()
  delay.disable()
  return delay.max / 1e6
}

/**
 * How much longer the work stands in the way than what is allowed. Both in turns, so that they meet the same load, and the
 * shortest of each: what they need themselves, and not what else the machine did.
 */
async function timesAllowed(work: () => Promise<unknown>): Promise<number> {
  const allowed: number[] = []
  const needed: number[] = []
  for (let run = 0; run < runs; run++) {
    allowed.push(await standstillMs(() => compute(blockedMsMax)))
    needed.push(await standstillMs(work))
  }
  return Math.min(...needed) / Math.min(...allowed)
}

/** Work of so much time of a processor, which takes longer where others want the processor too. */
async function compute(ms: number): Promise<void> {
  const spentMs = countCpuMs()
  while (spentMs() < ms) Math.sqrt(ms)
}

it('a picture of 9 MB stops nobody for longer than 50 ms of a processor', async () => {
  await serve()
  expect(await timesAllowed(serve)).toBeLessThan(slack)
}, 120_000)

it('this test can fail: work of a fifth of a second is seen', async () => {
  expect(await timesAllowed(() => compute(4 * blockedMsMax))).toBeGreaterThan(slack)
})
