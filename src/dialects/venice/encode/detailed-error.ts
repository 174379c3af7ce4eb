import type { GatewayError, RequestIssue } from '../../../core/gateway-error.ts'
import type { JsonObject } from '../../../lib/json.ts'

/** Every problem of a request: as a list, and as a tree that mirrors the body (venice.md §4.1, Detailed). */
export function detailedError(error: GatewayError): JsonObject {
  const issues = error.options.issues ?? [issueOf(error)]
  return { error: titleOf(error), details: treeOf(issues), issues: issues.map(encodeIssue) }
}

/** One problem that was found alone is told at the top, where people look first; decoding words its own titles. */
function titleOf({ code, message, options }: GatewayError): string {
  const title = options.facts?.['title']
  if (typeof title === 'string') return title
  return options.issues === undefined || code === 'invalid_parameters' ? message : 'Invalid request parameters'
}

function issueOf({ message, options }: GatewayError): RequestIssue {
  const path = typeof options.param === 'string' ? options.param.split('.') : []
  return { path: path.map(step => (/^\d{1,9}$/.test(step) ? Number(step) : step)), message, facts: { code: 'custom' } }
}

function encodeIssue({ facts, message, path }: RequestIssue): JsonObject {
  return { ...facts, message, path: [...path] }
}

interface Branch {
  readonly errors: string[]
  readonly members: Map<string, Branch>
}

function treeOf(issues: readonly RequestIssue[]): JsonObject {
  const root: Branch = { errors: [], members: new Map() }
  for (const { path, message } of issues) {
    let branch = root
    for (const step of path) {
      const next = branch.members.get(String(step)) ?? { errors: [], members: new Map() }
      branch.members.set(String(step), next)
      branch = next
    }
    branch.errors.push(message)
  }
  return encodeBranch(root)
}

function encodeBranch({ errors, members }: Branch): JsonObject {
  const encoded = [...members].map(([name, branch]) => [name, encodeBranch(branch)] as const)
  return { _errors: errors, ...Object.fromEntries(encoded) }
}
