/**
 * What a test needs of the machine and does not find. The tests are skipped, and the reason is printed, because the reporter
 * only counts; CI skips nothing, so that there it is a failure.
 * @throws Error in CI
 */
export function missing(problem: string): string {
  if (process.env['CI']) throw new Error(problem)
  console.warn(`skipped: ${problem}`)
  return problem
}

/** For `skipIf`: whether something is missing, said as `missing` says it. @throws Error in CI */
export function isMissing(isThere: boolean, problem: string): boolean {
  return !isThere && missing(problem) !== ''
}
