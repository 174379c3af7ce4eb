import type { CapabilityNeed, CompletionRequest } from '../../core/completion-request.ts'
import { GatewayError, type RequestIssue } from '../../core/gateway-error.ts'
import type { Model } from '../../core/model.ts'
import { familyIssues } from './gate-family.ts'

/**
 * Whether the model can do what the request asks for. All that is missing is named at once.
 * @throws GatewayError unsupported_feature
 */
export function gateRequest({ needs, content }: Pick<CompletionRequest, 'needs' | 'content'>, model: Model): void {
  const missing = needs.filter(need => !model.capabilities[need.capability]).map(need => issueOf(need, model))
  const refused = content.kind === 'composed' ? familyIssues(content.composition, model) : []
  const issues = [...missing, ...refused]
  const [first] = issues
  if (first === undefined) return
  throw new GatewayError('unsupported_feature', first.message, { param: first.path.join('.'), issues })
}

function issueOf({ capability, path }: CapabilityNeed, model: Model): RequestIssue {
  return {
    path,
    message: `${path.at(-1) ?? capability} is not supported by this model`,
    facts: { code: 'custom', capability, model: model.id },
  }
}
