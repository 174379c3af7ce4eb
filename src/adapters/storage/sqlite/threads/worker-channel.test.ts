import { describe, expect, it, vi } from 'vitest'
import { openWorkerChannel } from './worker-channel.ts'

/** A worker that is a text: `on` handles each request, with `reply` to answer it. */
function open(body: string) {
  const onFatal = vi.fn()
  const text = `import { parentPort } from 'node:worker_threads'
    const reply = message => parentPort.postMessage(message)
    ${body}`
  const file = new URL(`data:text/javascript,${encodeURIComponent(text)}`)
  return { opening: openWorkerChannel({ file, start: { path: '', failpoint: null }, onFatal }), onFatal }
}

const probe = { kind: 'probe' } as const
const answering = `parentPort.on('message', request => {
  if (request === 'close') reply('closed')
  else reply({ results: request.group.map(() => ['other', 'done']) })
})
reply('ready')`

describe('a worker', () => {
  it('is open when it says so, answers groups, and ends when it is closed', async () => {
    const { opening, onFatal } = open(answering)
    const channel = await opening
    expect(await channel.run([probe, probe])).toEqual([{ value: 'done' }, { value: 'done' }])
    await channel.close()
    expect(onFatal).not.toHaveBeenCalled()
  })

  it('that cannot open its files says why', async () => {
    const { opening, onFatal } = open(`reply({ fatal: { name: 'Error', message: 'no such disk' } })`)
    await expect(opening).rejects.toThrow('no such disk')
    expect(onFatal).not.toHaveBeenCalled()
  })

  it.each([
    ['reports a fault', `reply({ fatal: { name: 'Error', message: 'the disk lies' } })`, 'the disk lies'],
    ['throws', `throw new Error('a bug')`, 'a bug'],
    ['ends', `process.exit(0)`, 'a worker of the store ended'],
  ])('that %s while it works is fatal, once, and its group fails', async (_, fate, reason) => {
    const { opening, onFatal } = open(`parentPort.on('message', () => { ${fate} }); reply('ready')`)
    const channel = await opening
    await expect(channel.run([probe])).rejects.toThrow(reason)
    await expect.poll(() => onFatal.mock.calls.length).toBe(1)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(onFatal).toHaveBeenCalledTimes(1)
  })
})
