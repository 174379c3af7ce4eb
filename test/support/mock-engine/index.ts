export { answer, answerJson, answerStream } from './answer.ts'
export { startBlackHole } from './black-hole.ts'
export { brokenFraming, truncatedJson, wrongContentType, wrongJsonBodies, wrongLength } from './body-faults.ts'
export { compressed, compressionBomb } from './compressed.ts'
export { beforeBody, close, hang, neverRead, type Place, reset } from './endings.ts'
export {
  endlessBlankLines,
  endlessComments,
  endlessEmptyData,
  endlessEvent,
  fastStream,
  giganticJson,
  giganticJunkLine,
  giganticLine,
} from './floods.ts'
export { garbage, garbageAfter, garbageStream, invalidUtf8, invalidUtf8Bytes } from './garbage.ts'
export {
  closeWhenIdle,
  hugeHeader,
  informational,
  LEAKY_HEADERS,
  lateResponse,
  leakyHeaders,
  manyHeaders,
  redirect,
  secondResponse,
  withHeaders,
  withTrailers,
} from './header-faults.ts'
export { type MockEngine, startMockEngine } from './mock-engine.ts'
export { burst, delayed, drip, splitEvery, stall } from './pacing.ts'
export { startUntrustedServer } from './self-signed.ts'
export { sseStyles } from './sse-style.ts'
export { errorBodies, rateLimited, retryAfterValues, status } from './status.ts'
export type { Behaviour } from './step.ts'
export {
  dataAfterDone,
  doneTwice,
  emptyStream,
  errorEvent,
  errorEvents,
  insertAfter,
  onlyDone,
  withoutDone,
  withoutFinish,
} from './stream-faults.ts'
export { usagePlans, usageValue } from './usage-plans.ts'
