import { errorBodies, rateLimited, redirect, retryAfterValues, status } from '../../support/mock-engine/index.ts'
import { describeFaults, type Fault } from './describe-faults.ts'
import { type Expectation, fault, rejected } from './expectation.ts'

const both = (behaviour: Fault['behaviour'], expectation: Expectation): Fault => ({
  ...(behaviour === undefined ? {} : { behaviour }),
  stream: expectation,
  whole: expectation,
})

/** The request is at fault: the caller gets the engine's status and words. */
const refusals = Object.fromEntries(
  [400, 402, 405, 409, 413, 415, 418, 422, 451].map(code => [
    `a ${code}`,
    both(status(code), rejected(code, new RegExp(`mock engine says ${code}`), 'bad_value')),
  ]),
)

/** The node, our key on it, or its name of the model is at fault. */
const failures = Object.fromEntries(
  [401, 403, 404, 500, 501, 502, 503, 504, 507, 529, 599].map(code => [`a ${code}`, both(status(code), fault)]),
)

const overloads = Object.fromEntries(
  Object.keys(retryAfterValues).map(kind => [
    `a 429 whose Retry-After is ${kind}`,
    both(rateLimited(kind as keyof typeof retryAfterValues), { kind: 'fault', status: 429, code: 'engine_overloaded' }),
  ]),
)

/** Error bodies in every shape, and what of them the caller reads. */
const shapes: Partial<Record<keyof typeof errorBodies, RegExp>> = {
  openAi: /"message":"temperature is wrong".*"param":"temperature"/,
  openAiNulls: /"message":"temperature is wrong"/,
  vllm: /"message":"temperature is wrong"/,
  detail: /"message":"temperature is wrong"/,
  detailList: /"message":"temperature: temperature is wrong"/,
  errorText: /"message":"temperature is wrong"/,
  messageOnly: /"message":"temperature is wrong"/,
  errorNull: /"message":".+"/,
  errorNumber: /"message":".+"/,
  jsonText: /"message":"temperature is wrong"/,
  jsonArray: /"message":"temperature is wrong"/,
  plain: /"message":"temperature is wrong"/,
  html: /"message":"(?!.*(<|alert)).*temperature is wrong"/,
  empty: /"message":".+"/,
  brokenJson: /"message":"temperature is wrong"/,
  sse: /"message":"temperature is wrong"/,
  long: /"message":"temperature is wrong x{1,1980}"/,
}

const explained = Object.fromEntries(
  Object.entries(shapes).map(([shape, message]) => {
    const body = errorBodies[shape as keyof typeof errorBodies]('temperature is wrong')
    return [`a 400 whose body is ${shape}`, both(status(400, { body }), rejected(400, message))]
  }),
)

const odd: Record<string, Fault> = {
  'a redirect': both(redirect('http://127.0.0.1:1/v1/chat/completions'), fault),
  'a 204': both(status(204, { body: '' }), fault),
  'a 206': both(status(206, { body: '{}' }), fault),
}

describeFaults('an engine’s status', { ...refusals, ...failures, ...odd, ...explained })
describeFaults('an overloaded engine', overloads)
