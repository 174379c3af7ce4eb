import { describeApis } from '../../../src/dialects/openapi/document.ts'
import { surfaces } from '../../../src/server/surfaces.ts'

export const ownUrl = 'http://127.0.0.1:8402'

/** The document as a gateway at this address publishes it. */
export async function documentFor(publicUrl: string): Promise<object> {
  const apis = await Promise.all(surfaces.map(({ loadApi }) => loadApi()))
  return describeApis(apis, { publicUrl, version: '1.0.0' }, async () => undefined)
}
