import type { Selectable } from 'kysely'
import type { AdmissionRequest } from '../../../../domain/admission/types.ts'
import type { FailureCounts } from '../../../../domain/limits/types.ts'
import { fromDbNumber } from '../../sql/mapping.ts'
import type { Tables } from '../../sql/tables.ts'
import type { SqliteDatabase } from '../connection.ts'

/** Reads what a request's bucket counted; statements beside the unit write it, so that nothing of it is kept here. */
export interface FailureRows {
  /** Null for a request without a budget, and for a bucket that counted nothing yet. */
  find(request: Pick<AdmissionRequest, 'keyId' | 'model' | 'errorBudget'>): FailureCounts | null
}

export function createFailureRows(database: SqliteDatabase): FailureRows {
  const select = database.prepare('select * from failure_counts where owner = ? and model = ? and user_name = ?')
  return {
    find({ keyId, model, errorBudget }) {
      if (errorBudget === null) return null
      const row = select.get([keyId, model, errorBudget.user]) as Selectable<Tables['failure_counts']> | undefined
      if (row === undefined) return null
      const { failed, unsupported, ends_at_ms: endsAtMs } = row
      return {
        failed: fromDbNumber(failed),
        unsupported: fromDbNumber(unsupported),
        endsAtMs: fromDbNumber(endsAtMs),
      }
    },
  }
}
