export { apiError, type GenerateOptions, generate } from './generate.ts'
