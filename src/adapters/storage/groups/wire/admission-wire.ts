import type { AdmissionRequest } from '../../../../domain/admission/types.ts'
import type { Limit } from '../../../../domain/limits/types.ts'

/** A request for admission as a flat list; see decision-wire.ts for why. */
export type AdmissionRequestWire = [
  holdId: string,
  requestId: string,
  generationId: string,
  accountId: string,
  keyId: string,
  model: string,
  surface: string,
  stream: boolean,
  fixedNano: bigint,
  outputNanoPerMillion: bigint,
  choices: number,
  outputLimit: number,
  outputLimitMayShrink: boolean,
  promptTokensBound: number,
  free: boolean,
  priceVersion: string,
  overdraftNano: bigint,
  spendsAllCurrencies: boolean,
  requestsPerMinute: Limit,
  tokensPerMinute: Limit,
  accountConcurrency: Limit,
  processId: string,
  nowMs: number,
  deadlineMs: number,
  requestsPerDay: Limit,
]

/** The error budget travels beside the rest (see budget-wire.ts). */
type WithoutBudget = Omit<AdmissionRequest, 'errorBudget'>

export function encodeAdmissionRequest(request: WithoutBudget): AdmissionRequestWire {
  return [
    request.holdId,
    request.requestId,
    request.generationId,
    request.accountId,
    request.keyId,
    request.model,
    request.surface,
    request.stream,
    request.fixedNano,
    request.outputNanoPerMillion,
    request.choices,
    request.outputLimit,
    request.outputLimitMayShrink,
    request.promptTokensBound,
    request.free,
    request.priceVersion,
    request.overdraftNano,
    request.spendsAllCurrencies,
    request.modelRates.requestsPerMinute,
    request.modelRates.tokensPerMinute,
    request.accountConcurrency,
    request.processId,
    request.nowMs,
    request.deadlineMs,
    request.modelRates.requestsPerDay,
  ]
}

export function decodeAdmissionRequest(wire: AdmissionRequestWire): WithoutBudget {
  return {
    holdId: wire[0],
    requestId: wire[1],
    generationId: wire[2],
    accountId: wire[3],
    keyId: wire[4],
    model: wire[5],
    surface: wire[6],
    stream: wire[7],
    fixedNano: wire[8],
    outputNanoPerMillion: wire[9],
    choices: wire[10],
    outputLimit: wire[11],
    outputLimitMayShrink: wire[12],
    promptTokensBound: wire[13],
    free: wire[14],
    priceVersion: wire[15],
    overdraftNano: wire[16],
    spendsAllCurrencies: wire[17],
    modelRates: { requestsPerMinute: wire[18], tokensPerMinute: wire[19], requestsPerDay: wire[24] },
    accountConcurrency: wire[20],
    processId: wire[21],
    nowMs: wire[22],
    deadlineMs: wire[23],
  }
}
