import type { FastifyInstance } from 'fastify'
import { encodeModel, encodeModelList } from '../../dialects/venym/encode-models.ts'
import type { ServerDependencies } from '../server-dependencies.ts'

/** The catalogue is public; an id may hold a slash, written as it is or URL-encoded (venym.md §1). */
export function registerModels(app: FastifyInstance, { catalog }: ServerDependencies): void {
  app.get('/v1/models', () => encodeModelList(catalog.list()))
  app.get('/v1/models/*', request => encodeModel(catalog.resolve((request.params as { '*': string })['*'])))
}
