import * as mock from '../../support/mock-engine/index.ts'
import { type Behaviour, garbage } from '../../support/mock-engine/index.ts'
import { describeFaults, type Fault } from './describe-faults.ts'
import { broken, type Expectation, fault, fine, mockTokens } from './expectation.ts'

const row = (behaviour: Behaviour, stream: Expectation, whole: Expectation = stream): Fault => ({
  behaviour,
  stream,
  whole,
})

type Kind = keyof typeof garbage
const kinds = Object.keys(garbage) as Kind[]

/** Odd, and of use to a client all the same: the answer goes on. */
const tolerated: Partial<Record<Kind, string>> = {
  deltaMissing: 'The mock engine answers this request.',
  protoKey: 'The mockx engine answers this request.',
}

const alone = kinds.map((kind): [string, Fault] => [
  `a stream of garbage: ${kind}`,
  row(mock.garbageStream(kind), broken, fault),
])
const within = kinds.map((kind): [string, Fault] => {
  const text = tolerated[kind]
  const behaviour = mock.garbageAfter(2, kind)
  return [
    `garbage after two tokens: ${kind}`,
    text === undefined ? row(behaviour, broken, fault) : row(behaviour, fine(mockTokens, text)),
  ]
})

describeFaults('garbage in a stream', Object.fromEntries([...alone, ...within]))

/** JSON and SSE are told apart by what the engine says they are; a valid answer of the other kind is understood. */
const types: Record<keyof typeof mock.wrongContentType, [stream: Expectation, whole: Expectation]> = {
  jsonForStream: [fine(), fine()],
  sseForJson: [fine(), fine()],
  swapped: [fault, fault],
  none: [fault, fine()],
  octets: [fault, fine()],
  utf16: [fine(), fine()],
  html200: [fault, fault],
  plain200: [fault, fault],
}

describeFaults('an answer that is none', {
  'truncated JSON': row(mock.truncatedJson(), fault),
  'a body shorter than its length': row(mock.wrongLength(5), fault),
  'a body longer than its length': row(mock.wrongLength(-5), fault),
  ...named('broken framing', mock.brokenFraming, () => fault),
  ...named('a wrong JSON body', mock.wrongJsonBodies, () => fault),
  ...Object.fromEntries(
    Object.entries(types).map(([name, expected]) => [
      `content type: ${name}`,
      row(mock.wrongContentType[name as keyof typeof types], ...expected),
    ]),
  ),
  gzip: row(mock.compressed(['gzip']), fault),
  brotli: row(mock.compressed(['br']), fault),
  'three codings': row(mock.compressed(['gzip', 'br', 'deflate']), fault),
  'a compression bomb': row(mock.compressionBomb(64), fault),
})

/** Beyond every bound, and over soon where there is none. */
const mebibytes = 6

describeFaults('an odd head or a flood', {
  'a protocol switch': row(mock.informational({ code: 101 }), fault),
  'a flood of early hints': row(mock.informational({ count: 200 }), fault),
  'three hundred headers': row(mock.manyHeaders(300), fault),
  'a header of a mebibyte': row(mock.hugeHeader(1_048_576), fault),
  'a second response': row(mock.secondResponse(), fine()),
  'a late second response': row(mock.lateResponse(50), fine()),
  'a close while idle': row(mock.closeWhenIdle(20), fine()),
  'a reset while idle': row(mock.closeWhenIdle(20, 'reset'), fine()),
  'a gigantic line': row(mock.giganticLine({ mebibytes }), fault),
  'a gigantic line of junk': row(mock.giganticJunkLine({ mebibytes }), fault),
  'an endless event': row(mock.endlessEvent({ mebibytes }), fault),
  'endless empty data': row(mock.endlessEmptyData({ mebibytes }), fault),
  'endless comments': row(mock.endlessComments({ mebibytes }), fault),
  'endless blank lines': row(mock.endlessBlankLines({ mebibytes }), fault),
  'gigantic JSON': row(mock.giganticJson({ mebibytes: 40 }), fault),
})

function named(
  title: string,
  behaviours: Readonly<Record<string, Behaviour>>,
  expectationOf: (name: string) => Expectation,
): Record<string, Fault> {
  return Object.fromEntries(
    Object.entries(behaviours).map(([name, behaviour]) => [`${title}: ${name}`, row(behaviour, expectationOf(name))]),
  )
}
