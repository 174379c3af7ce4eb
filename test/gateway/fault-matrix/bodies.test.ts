import * as mock from '../../support/mock-engine/index.ts'
import { type Behaviour, invalidUtf8Bytes, sseStyles } from '../../support/mock-engine/index.ts'
import { describeFaults, type Fault } from './describe-faults.ts'
import { type Expectation, fault, fine, midway } from './expectation.ts'

const row = (behaviour: Behaviour, stream: Expectation, whole: Expectation = stream): Fault => ({
  behaviour,
  stream,
  whole,
})
const rows = (entries: readonly (readonly [string, Fault])[]): Record<string, Fault> => Object.fromEntries(entries)

const emoji = ['\u{1f600}', ' caf\u00e9', ' \u65e5\u672c']
const emojiAnswer = mock.answer({ text: emoji })
const saysEmoji = fine({ prompt: 16, completion: 3 }, emoji.join(''))

/** Legal in every way, and cut, timed or spelt unlike what most engines do. */
const legal: Record<string, Fault> = {
  'a drip of single bytes': row(mock.drip(mock.answer(), { bytes: 3, everyMs: 1 }), fine()),
  'a late first byte': row(mock.delayed(300, mock.answer()), fine()),
  'a stall between tokens': row(mock.stall({ afterChunks: 2, ms: 300 }, mock.answer()), fine()),
  'one burst': row(mock.burst(emojiAnswer), saysEmoji),
  ...rows(
    [1, 2, 3, 5].map(size => [`UTF-8 split every ${size} bytes`, row(mock.splitEvery(size, emojiAnswer), saysEmoji)]),
  ),
  ...rows(
    Object.entries(sseStyles).map(([name, style]) => [
      `SSE in the style ${name}`,
      row(mock.splitEvery(7, mock.answer({ style, text: emoji })), saysEmoji),
    ]),
  ),
  trailers: row(mock.withTrailers(), fine()),
  'a few early hints': row(mock.informational({ count: 3 }), fine()),
  'fifty headers': row(mock.manyHeaders(50), fine()),
  'headers that must not travel': row(mock.leakyHeaders(), fine()),
}

/** The text comes through, with the broken bytes replaced once. */
const brokenText: Record<string, Fault> = rows(
  Object.keys(invalidUtf8Bytes).map(kind => [
    `invalid UTF-8: ${kind}`,
    row(
      mock.invalidUtf8(kind as keyof typeof invalidUtf8Bytes),
      fine({ prompt: 16, completion: 3 }, /^a \uFFFD{1,4} z$/),
    ),
  ]),
)

const ends: Record<string, Fault> = {
  'no [DONE]': row(mock.withoutDone(), fine()),
  '[DONE] twice': row(mock.doneTwice(), fine()),
  'events after [DONE]': row(mock.dataAfterDone(), fine()),
  '[DONE] alone': row(mock.onlyDone(), fault),
  'an empty stream': row(mock.emptyStream(), fault),
  'no finish reason': row(mock.withoutFinish(), midway, fault),
  ...rows(
    Object.entries(mock.errorEvents).flatMap(([name, data]) => [
      [`an error event (${name}) as the first`, row(mock.errorEvent({ afterChunks: 0, data }), fault)] as const,
      [
        `an error event (${name}) after two tokens`,
        row(mock.errorEvent({ afterChunks: 2, data }), midway, fault),
      ] as const,
      [
        `an error event (${name}) after two tokens, then [DONE]`,
        row(mock.errorEvent({ afterChunks: 2, data, thenDone: true }), midway, fault),
      ] as const,
    ]),
  ),
}

describeFaults('a stream that is cut or ended in its own way', { ...legal, ...brokenText, ...ends })
