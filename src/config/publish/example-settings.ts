import type { SettingsInput } from '../schema.ts'

/** What `rialto init` writes, and rialto.example.yaml shows: two models over two engines, one of them with failover. */
export const exampleSettings: SettingsInput = {
  engines: [
    {
      id: 'gpu-a',
      kind: 'openai',
      preset: 'vllm',
      baseUrl: 'http://127.0.0.1:8000/v1',
      apiKey: '${GPU_A_KEY:-none}',
    },
    {
      id: 'gpu-b',
      kind: 'openai',
      preset: 'sglang',
      baseUrl: 'http://127.0.0.1:30000/v1',
      apiKey: '${GPU_B_KEY:-none}',
    },
  ],
  models: [
    {
      id: 'venym/qwen-27b',
      name: 'Qwen 27B',
      description: 'A general model that thinks, calls tools and keeps to schemas.',
      served: [
        { engine: 'gpu-a', model: 'Qwen/Qwen3-27B', weight: 1 },
        { engine: 'gpu-b', model: 'Qwen/Qwen3-27B', weight: 1 },
      ],
      family: 'qwen',
      traits: ['default'],
      compatibility: ['gpt-4o-mini'],
      tier: 'M',
      contextTokens: 131_072,
      maxOutputTokens: 16_384,
      constraints: { temperature: { default: 0.7 }, top_p: { default: 0.8 } },
      pricing: { inputUsdPerMTok: 0.25, outputUsdPerMTok: 1, cacheReadUsdPerMTok: 0.05, cacheWriteUsdPerMTok: 0.3 },
      capabilities: {
        functionCalling: true,
        responseSchema: true,
        reasoning: true,
        reasoningEffort: true,
        logProbs: true,
        quantization: 'fp8',
      },
      reasoning: { efforts: ['low', 'medium', 'high'], default: 'medium', canDisable: true },
    },
    {
      id: 'venym/glm-flash',
      name: 'GLM Flash',
      description: 'A small, fast model for short answers and code.',
      served: [{ engine: 'gpu-b', model: 'zai-org/GLM-4.7-Flash' }],
      family: 'glm',
      tier: 'S',
      contextTokens: 131_072,
      maxOutputTokens: 8_192,
      pricing: { inputUsdPerMTok: 0.1, outputUsdPerMTok: 0.4 },
      capabilities: { functionCalling: true, responseSchema: true, optimizedForCode: true, quantization: 'bf16' },
    },
  ],
  admin: { token: '${RIALTO_ADMIN_TOKEN:-}' },
}
