{{/* The settings that take effect at a restart only (docs/operating.md, "Configure"), all but keys.prefix the chart's own. */}}
{{- define "rialto.fixedSettings" -}}
server:
  host: 0.0.0.0
  port: 8402
  {{- with .Values.publicUrl }}
  publicUrl: {{ . | quote }}
  {{- end }}
store: ${RIALTO_STORE_URL}
{{- if .Values.metrics.enabled }}
metrics:
  listen: 0.0.0.0:{{ .Values.metrics.port }}
{{- end }}
{{- end }}

{{/* The whole of rialto.yaml. */}}
{{- define "rialto.config" -}}
{{ mergeOverwrite (deepCopy .Values.config) (include "rialto.fixedSettings" . | fromYaml) | toYaml }}
{{- end }}
