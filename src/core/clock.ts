/** Time as a port, so that tests move it and a whole run can be replayed. */
export interface Clock {
  /** Wall time in milliseconds since the epoch: for records, expiry dates and rate windows. */
  now(): number
  /** Milliseconds that never go back: for durations and deadlines. */
  monotonic(): number
}
