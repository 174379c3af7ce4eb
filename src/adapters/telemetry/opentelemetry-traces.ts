import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { CompletionFacts, CompletionObserver } from '../../domain/usage/completion-observer.ts'

const queuedSpansMax = 2_048
const exportTimeoutMs = 10_000

export interface Traces extends CompletionObserver {
  close(): Promise<void>
}

/**
 * Traces with the GenAI semantic conventions, sent to the given OTLP endpoint (operator.md §5). The span is written when
 * the completion has ended, so that tracing costs nothing on the way. Prompts and answers are never part of it.
 */
export function createTraces(endpoint: string): Traces {
  const exporter = new OTLPTraceExporter({
    url: new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href,
    timeoutMillis: exportTimeoutMs,
  })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'rialto' }),
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: queuedSpansMax })],
  })
  const tracer = provider.getTracer('rialto')
  return {
    holding: () => undefined,
    completed: facts => traceCompletion(tracer, facts),
    refused: () => undefined,
    close: () => provider.shutdown(),
  }
}

function traceCompletion(tracer: Tracer, facts: CompletionFacts): void {
  const span = tracer.startSpan(`chat ${facts.model}`, {
    kind: SpanKind.SERVER,
    startTime: facts.startedAtMs,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': facts.node ?? 'none',
      'gen_ai.request.model': facts.model,
      'gen_ai.response.id': facts.completionId,
      'gen_ai.usage.input_tokens': facts.usage.promptTokens,
      'gen_ai.usage.output_tokens': facts.usage.completionTokens,
      'rialto.request_id': facts.requestId,
      'rialto.outcome': facts.outcome,
      'rialto.attempts': facts.attempts.length,
      'rialto.usage_source': facts.usageSource,
      'http.response.status_code': facts.status,
      ...(facts.engineModel === null ? {} : { 'gen_ai.response.model': facts.engineModel }),
      ...(facts.finishReason === null ? {} : { 'gen_ai.response.finish_reasons': [facts.finishReason] }),
    },
  })
  if (facts.firstByteMs !== null) span.addEvent('gen_ai.first_token', {}, facts.startedAtMs + facts.firstByteMs)
  if (facts.outcome === 'upstream_fail') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(facts.startedAtMs + facts.totalMs)
}
