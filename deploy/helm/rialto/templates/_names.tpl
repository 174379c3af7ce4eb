{{/* The name of everything in a release; 63 characters are what a label may have. */}}
{{- define "rialto.name" -}}
{{- $name := .Release.Name }}
{{- if not (contains .Chart.Name .Release.Name) }}{{ $name = printf "%s-%s" .Release.Name .Chart.Name }}{{ end }}
{{- $name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* What selects the pods. Never change these: a Deployment cannot be upgraded over another selector. */}}
{{- define "rialto.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "rialto.labels" -}}
{{ include "rialto.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}
