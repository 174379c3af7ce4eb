/** What the sums of a day have besides their number of requests (see UsageDaysTable). */
export const summedColumns = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_nano',
  'writeoff_nano',
  'diem_nano',
] as const

/** All that is counted of each request. */
export const countedColumns = ['requests', ...summedColumns] as const
