import type { PostgresSettings } from '../support/postgres/postgres-server.ts'

/**
 * A server whose data need not outlive it: tables that are new are not logged, and nothing waits for the disk. Questions are
 * answered as anywhere else.
 */
export const quickServer: PostgresSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  maintenance_work_mem: '256MB',
  autovacuum: 'off',
}
