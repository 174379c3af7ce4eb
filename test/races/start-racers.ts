import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atEnd } from '../support/at-end.ts'
import type { Order, Told } from './racer.ts'

export interface Racer {
  carryOut(order: Order): Promise<Told>
}

/** Processes that book in one database. They end with the test, or with the file when no test runs. */
export async function startRacers(url: string, count: number): Promise<readonly Racer[]> {
  return await Promise.all(Array.from({ length: count }, () => startRacer(url)))
}

async function startRacer(url: string): Promise<Racer> {
  const child = fork(join(import.meta.dirname, 'racer.ts'), [url], {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  })
  const ended = once(child, 'exit')
  atEnd(async () => {
    if (child.connected) child.disconnect()
    await ended
  })
  await answerOf(child)
  return {
    carryOut(order) {
      const told = answerOf(child)
      child.send(order)
      return told
    },
  }
}

/** What the process says next. */
function answerOf(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('a racer ended'))
    child.once('exit', fail)
    child.once('message', told => {
      child.off('exit', fail)
      resolve(told as Told)
    })
  })
}
