import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { createPeer, type MessageLine, PeerGone } from './peer.ts'

type Left = { hello: (name: string) => string }
type Right = { double: (amount: bigint) => bigint; fail: (reason: string) => never; never: (nothing: null) => null }

const closers: (() => void)[] = []

/** Two ends that copy what is sent, as processes do. */
function createLines(): { left: MessageLine; right: MessageLine; close: () => void } {
  const { port1, port2 } = new MessageChannel()
  const close = () => port1.close()
  closers.push(close)
  const [left, right] = [port1, port2].map(port => ({
    send: (message: unknown) => port.postMessage(message),
    onMessage: (listener: (message: unknown) => void) => void port.on('message', listener),
    onClosed: (listener: () => void) => void port.on('close', listener),
  })) as [MessageLine, MessageLine]
  return { left, right, close }
}

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function createPair() {
  const { left, right, close } = createLines()
  const leftPeer = createPeer<Right, Left>(left)
  const rightPeer = createPeer<Left, Right>(right)
  rightPeer.answer('double', amount => amount * 2n)
  rightPeer.answer('fail', async reason => {
    throw new Error(reason)
  })
  rightPeer.answer('never', () => new Promise(() => undefined))
  leftPeer.answer('hello', name => `hello ${name}`)
  return { leftPeer, rightPeer, close }
}

it('asks in both directions, and gives each asker its own answer', async () => {
  const { leftPeer, rightPeer } = createPair()
  const answers = await Promise.all([
    leftPeer.ask('double', 3n, 1_000),
    leftPeer.ask('double', 4n, null),
    rightPeer.ask('hello', 'there', 1_000),
  ])
  expect(answers).toEqual([6n, 8n, 'hello there'])
})

it('passes on why the other side could not answer', async () => {
  const { leftPeer, rightPeer } = createPair()
  await expect(leftPeer.ask('fail', 'no room', 1_000)).rejects.toThrow('no room')
  await expect(rightPeer.ask('unknown' as 'hello', '', 1_000)).rejects.toThrow('nobody here answers "unknown"')
})

it('waits no longer than it was told to', async () => {
  const { leftPeer } = createPair()
  await expect(leftPeer.ask('never', null, 20)).rejects.toThrow('did not answer "never" in time')
})

it('ends every wait when the other side is gone, and asks nothing more', async () => {
  const { leftPeer, close } = createPair()
  const asked = leftPeer.ask('never', null, null)
  close()
  await expect(asked).rejects.toThrow(PeerGone)
  await expect(leftPeer.ask('double', 1n, null)).rejects.toThrow(PeerGone)
})
