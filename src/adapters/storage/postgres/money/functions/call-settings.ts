/**
 * What holds for the time of a call that moves money. A row that somebody else has for seconds ends the call, which is then
 * tried again or refused, and the connection is free for others. Plans are made once and look rows up by their indices,
 * however few rows there were when the connection was new; planning, and compiling what runs for a millisecond, would take
 * longer than the call. None of it stays with the connection, which a pooler may give to others.
 */
export const callSettings =
  "set lock_timeout = '3s' set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off"
