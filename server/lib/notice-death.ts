/**
 * For a session that holds locks, over TCP: the host at the other end is dead when it is silent for 10 s and to three questions, or
 * leaves an answer unconfirmed for 25 s. Without it PostgreSQL waits for two hours.
 */
export const NOTICE_DEATH = `select set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false),
  set_config('tcp_user_timeout', '25000', false)`
