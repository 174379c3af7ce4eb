import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { onSocketEnd } from './on-socket-end.ts'

async function end(socket: Socket): Promise<void> {
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.destroy()
  await closed
}

it('tells everybody who still wants to know', async () => {
  const socket = new Socket()
  const told: string[] = []
  onSocketEnd(socket, () => told.push('first'))
  const stop = onSocketEnd(socket, () => told.push('second'))
  onSocketEnd(socket, () => told.push('third'))
  stop()
  await end(socket)
  expect(told).toEqual(['first', 'third'])
})

it('tells at once whoever comes after the end', async () => {
  const socket = new Socket()
  await end(socket)
  const told: string[] = []
  onSocketEnd(socket, () => told.push('late'))
  expect(told).toEqual(['late'])
})
