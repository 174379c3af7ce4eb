import { type Check, failed, passed } from './check.ts'

/** The oldest that the package's dependencies run on. */
const nodeMin = [20, 19] as const

export function checkRuntime(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])
  if (isEnough) return passed('node', `version ${version}`)
  return failed('node', `version ${version} is too old`, `install Node ${nodeMin.join('.')} or newer`)
}
