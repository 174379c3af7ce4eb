export { apiError, type MessageOptions, message } from './message.ts'
