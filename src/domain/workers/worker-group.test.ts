import { describe, expect, it } from 'vitest'
import { FakeTime, settle } from '../../../test/support/fake-time.ts'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import { createWorkerGroup } from './worker-group.ts'
import type { EndMode, WorkerProcess } from './worker-process.ts'

/** A process that does what the test tells it. */
class Worker implements WorkerProcess {
  readonly pid: number
  readonly place: number
  readonly ready: Promise<void>
  readonly ended: Promise<string>
  readonly asked: EndMode[] = []
  wasKilled = false
  isOver = false
  #becomeReady: () => void = () => undefined
  #fail: (error: Error) => void = () => undefined
  #end: (exit: string) => void = () => undefined

  constructor(place: number, pid: number) {
    this.place = place
    this.pid = pid
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve
      this.#fail = reject
    })
    this.ended = new Promise(resolve => {
      this.#end = resolve
    })
  }

  serve(): void {
    this.#becomeReady()
  }

  die(exit = 'SIGKILL', reason = 'it ended before it was ready'): void {
    this.isOver = true
    this.#fail(new Error(reason))
    this.#end(exit)
  }

  end(mode: EndMode): void {
    this.asked.push(mode)
  }

  kill(): void {
    this.wasKilled = true
    this.die()
  }
}

function createRig(count: number) {
  const time = new FakeTime()
  const logger = new MemoryLogger()
  const workers: Worker[] = []
  const hopeless: string[] = []
  const group = createWorkerGroup({
    count,
    clock: time.clock,
    timers: time.timers,
    logger,
    launch(place) {
      const worker = new Worker(place, workers.length + 1)
      workers.push(worker)
      return worker
    },
    onHopeless: reason => hopeless.push(reason),
  })
  const latest = (place: number): Worker => {
    const worker = workers.findLast(candidate => candidate.place === place)
    if (worker === undefined) throw new Error(`no worker was started at place ${place}`)
    return worker
  }
  async function serveAll(): Promise<void> {
    const started = group.start()
    latest(1).serve()
    await settle()
    for (const worker of workers.slice(1)) worker.serve()
    await started
  }
  return { time, logger, workers, hopeless, group, latest, serveAll }
}

describe('the start', () => {
  it('waits for the first worker before the others, and for all of them', async () => {
    const { group, workers, latest } = createRig(3)
    let isStarted = false
    const started = group.start().then(() => {
      isStarted = true
    })
    await settle()
    expect(workers).toHaveLength(1)
    latest(1).serve()
    await settle()
    expect(workers.map(({ place }) => place)).toEqual([1, 2, 3])
    latest(3).serve()
    await settle()
    expect(isStarted).toBe(false)
    latest(2).serve()
    await started
  })

  it('fails with the reason of the worker that failed', async () => {
    const { group, latest } = createRig(2)
    const started = group.start()
    await settle()
    latest(1).die('code 1', 'the port is taken')
    await expect(started).rejects.toThrow('the port is taken')
  })

  it('kills a worker that is not ready within a minute', async () => {
    const { group, time, latest } = createRig(1)
    const started = group.start()
    const failing = expect(started).rejects.toThrow('before it was ready')
    await time.advance(59_999)
    expect(latest(1).wasKilled).toBe(false)
    await time.advance(1)
    expect(latest(1).wasKilled).toBe(true)
    await failing
  })
})

describe('a worker that dies', () => {
  it('is started again after a delay that doubles, and begins anew after a minute of life', async () => {
    const { serveAll, time, workers, latest } = createRig(2)
    await serveAll()
    for (const delayMs of [100, 200, 400]) {
      latest(2).die()
      await time.advance(delayMs - 1)
      const before = workers.length
      await time.advance(1)
      expect(workers).toHaveLength(before + 1)
      latest(2).serve()
      await settle()
    }
    await time.advance(60_000)
    latest(2).die()
    const before = workers.length
    await time.advance(100)
    expect(workers).toHaveLength(before + 1)
    expect(workers.filter(({ place }) => place === 1)).toHaveLength(1)
  })

  it('again and again, like all others, ends the gateway with the last reason', async () => {
    const { serveAll, time, latest, hopeless } = createRig(2)
    await serveAll()
    for (const place of [1, 2]) latest(place).die()
    for (let round = 0; round < 12; round += 1) {
      await time.advance(10_000)
      for (const place of [1, 2]) if (!latest(place).isOver) latest(place).die('code 1', `reason ${round}`)
      await settle()
    }
    expect(hopeless).toEqual(['reason 4'])
  })

  it('does not end the gateway while another serves', async () => {
    const { serveAll, time, latest, hopeless } = createRig(2)
    await serveAll()
    for (let round = 0; round < 20; round += 1) {
      latest(2).die()
      await time.advance(10_000)
    }
    expect(hopeless).toEqual([])
  })
})

describe('a rolling restart', () => {
  it('has a new worker ready before it asks an old one to hand over, one place after the other', async () => {
    const { serveAll, group, workers, latest, logger } = createRig(2)
    await serveAll()
    const [first, second] = [latest(1), latest(2)]
    group.replaceAll()
    await settle()
    expect(workers).toHaveLength(3)
    expect(first.asked).toEqual([])
    latest(1).serve()
    await settle()
    expect([first.asked, second.asked, workers.length]).toEqual([['hand_over'], [], 3])
    first.die('code 0')
    await settle()
    expect(workers).toHaveLength(4)
    latest(2).serve()
    await settle()
    expect(second.asked).toEqual(['hand_over'])
    second.die('code 0')
    await settle()
    expect(logger.events()).toContain('workers.replaced')
    expect(logger.events('error')).toEqual([])
  })

  it('does not wait for ever for one that hands over, and kills it at last', async () => {
    const { serveAll, group, time, workers, latest } = createRig(2)
    await serveAll()
    const first = latest(1)
    group.replaceAll()
    await settle()
    latest(1).serve()
    await time.advance(10_000)
    expect(workers).toHaveLength(4)
    expect(first.wasKilled).toBe(false)
    await time.advance(140_000)
    expect(first.wasKilled).toBe(true)
  })

  it('stops at a new worker that fails, and the old ones stay', async () => {
    const { serveAll, group, time, workers, latest, logger } = createRig(2)
    await serveAll()
    const old = [latest(1), latest(2)]
    group.replaceAll()
    await settle()
    latest(1).die('code 1', 'the new version does not start')
    await time.advance(60_000)
    expect(workers).toHaveLength(3)
    expect(old.map(({ asked }) => asked)).toEqual([[], []])
    expect(logger.events('error')).toContain('workers.replace_failed')
  })

  it('fills the place all the same when both the old and the new worker die', async () => {
    const { serveAll, group, time, workers, latest } = createRig(2)
    await serveAll()
    const first = latest(1)
    group.replace(1)
    await settle()
    first.die()
    latest(1).die()
    await time.advance(100)
    expect(workers.filter(({ place }) => place === 1)).toHaveLength(3)
  })
})

describe('the end', () => {
  it('drains all, starts nothing more, and waits until they are gone', async () => {
    const { serveAll, group, time, workers, latest } = createRig(3)
    await serveAll()
    latest(3).die()
    await settle()
    let isClosed = false
    const closed = group.close().then(() => {
      isClosed = true
    })
    await time.advance(30_000)
    expect(workers).toHaveLength(3)
    expect([latest(1).asked, latest(2).asked]).toEqual([['drain'], ['drain']])
    latest(1).die('code 0')
    await settle()
    expect(isClosed).toBe(false)
    await time.advance(120_000)
    expect(latest(2).wasKilled).toBe(true)
    await closed
  })
})
