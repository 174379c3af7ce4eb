import type { Timers } from '../../core/timers.ts'

/** The event loop's own timers. They do not keep the process alive: work in progress does. */
export const systemTimers: Timers = {
  after(ms, task) {
    const timer = setTimeout(task, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
