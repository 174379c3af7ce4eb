import type { Composition, ReasoningWish } from '../../core/completion-request.ts'
import type { RequestIssue } from '../../core/gateway-error.ts'
import type { Model } from '../../core/model.ts'

/** Families whose engines refuse an effort that they do not know, instead of taking the nearest. */
const strictEfforts: ReadonlySet<string> = new Set(['claude', 'openai', 'openai-reasoning'])
const openAiFamilies: ReadonlySet<string> = new Set(['openai', 'openai-reasoning'])

/** Sampling that reasoning models of this family do not have; zero penalties say nothing. */
const unsampled = ['seed', 'stop', 'n', 'presence_penalty', 'frequency_penalty']

/** What this family of models refuses although its capabilities allow it (venice.md §1.8). */
export function familyIssues({ parameters, reasoning }: Composition, model: Model): readonly RequestIssue[] {
  return [...samplingIssues(parameters, model), ...effortIssues(reasoning, model), ...verbosityIssues(reasoning, model)]
}

function samplingIssues(parameters: Composition['parameters'], { family }: Model): readonly RequestIssue[] {
  if (family !== 'openai-reasoning') return []
  const means = (name: string) => {
    const value = parameters[name]
    if (name === 'n') return value !== undefined && value !== 1
    return value !== undefined && value !== 0
  }
  return unsampled.filter(means).map(name => issue([name], `${name} is not supported by this model`))
}

function effortIssues({ effort }: ReasoningWish, { family, reasoning }: Model): readonly RequestIssue[] {
  if (effort === null || effort === 'none' || reasoning === null || !strictEfforts.has(family)) return []
  if (effort === 'minimal' && openAiFamilies.has(family)) return []
  if (reasoning.efforts.length === 0 || reasoning.efforts.includes(effort)) return []
  const known = reasoning.efforts.join(', ')
  return [
    issue(['reasoning_effort'], `reasoning_effort '${effort}' is not supported by this model. It takes: ${known}`),
  ]
}

function verbosityIssues({ verbosity }: ReasoningWish, { family }: Model): readonly RequestIssue[] {
  if (verbosity === null || family !== 'openai' || verbosity === 'medium' || verbosity === 'auto') return []
  return [issue(['verbosity'], `verbosity '${verbosity}' is not supported by this model. It takes: medium, auto`)]
}

function issue(path: RequestIssue['path'], message: string): RequestIssue {
  return { path, message, facts: { code: 'custom' } }
}
