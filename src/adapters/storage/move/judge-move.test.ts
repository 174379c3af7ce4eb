import { expect, it } from 'vitest'
import type { MoveMark } from '../sql/move-mark.ts'
import { judgeMove } from './judge-move.ts'
import type { TargetState } from './open-target.ts'

function mark(state: MoveMark['state'], change: Partial<MoveMark> = {}): MoveMark {
  return { state, moveId: 'move', sourceId: 'acc_1', runId: 'run', recordsThrough: 0, atMs: 0, ...change }
}

function filled(targetMark: MoveMark | null): TargetState {
  return { mark: targetMark, isEmpty: false }
}

const empty: TargetState = { mark: null, isEmpty: true }
const left = mark('left')

it.each([
  ['an empty database', null, empty],
  ['a half-filled one', null, filled(mark('arriving'))],
  ['one that is all there, though the source is left already', left, filled(mark('arriving'))],
])('lets a move into %s begin or go on', (_, source, target) => {
  expect(() => judgeMove({ sourceId: 'acc_1', left: source, target })).not.toThrow()
})

it.each([
  ['one that holds a deployment of its own', null, filled(null), 'two cannot be merged'],
  ['that of another store', null, filled(mark('arriving', { sourceId: 'acc_2' })), 'another SQLite store'],
  ['the one in use, from a copy of what was left', null, filled(mark('complete')), 'use the database'],
  ['one that was given up', null, filled(mark('undone')), 'was undone. Give the address of an empty database'],
  ['the one in use, a second time', left, filled(mark('complete')), 'nothing left to do: this deployment was moved'],
  ['another one than the first', left, filled(mark('arriving', { moveId: 'other' })), 'not where the deployment went'],
  ['an empty one, though the source is left', left, empty, 'not where the deployment went'],
  ['one that was given up, though the source is left', left, filled(mark('undone')), 'run `rialto migrate undo` again'],
])('refuses a move into %s', (_, source, target, text) => {
  expect(() => judgeMove({ sourceId: 'acc_1', left: source, target })).toThrow(text)
})
