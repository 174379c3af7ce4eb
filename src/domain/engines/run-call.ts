import { type CallContext, CallCourse } from './call-course.ts'
import type { EngineRequest, EngineRun } from './engine-run.ts'
import { failureError } from './failure-error.ts'

/**
 * Asks the nodes of a model, at most three, until one gives an answer that is accepted. A node that fails before that is
 * left for the next one; a request that an engine refuses is not repeated (venym.md §4).
 * @throws EnginesFailure
 */
export async function runCall<Value>(context: CallContext, request: EngineRequest<Value>): Promise<EngineRun<Value>> {
  const course = new CallCourse(context, request)
  try {
    for (;;) {
      const candidate = await course.next()
      if (candidate === null) throw course.failure(failureError(course.failures, course.isDrained()))
      const run = await course.attempt(candidate)
      if (run !== null) return run
    }
  } catch (error) {
    throw course.asFailure(error)
  } finally {
    course.close()
  }
}
