import type { GatewayError } from '../../core/gateway-error.ts'
import type { JsonObject } from '../../lib/json.ts'

/** The one error shape of the OpenAI family: `{"error":{message,type,param,code}}` (venym.md §5). */
export function errorJson(error: GatewayError): string {
  const { engine, param, details } = error.options
  const body: JsonObject = {
    message: error.message,
    type: error.type,
    param: engine?.param ?? param ?? null,
    code: engine?.code ?? error.code,
    ...details,
  }
  return JSON.stringify({ error: body })
}
