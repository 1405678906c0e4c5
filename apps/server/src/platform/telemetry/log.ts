import { trace } from "@opentelemetry/api";

type LogLevel = "info" | "warn" | "error" | "fatal";

/**
 * Writes one line of the log outside of a request, in the shape of every line: JSON with `time`, `level`, `about` and
 * `message`. Such lines are written at any LOG_LEVEL: they tell of faults that nobody else sees. `fields` must not
 * contain names, values of rows or secrets.
 */
export function logEvent(level: LogLevel, about: string, message: string, fields: object = {}): void {
  const line = { time: new Date().toISOString(), level, about, message, ...fields, ...traceIds() };
  console[level === "info" ? "info" : "error"](JSON.stringify(line));
}

/** The ids of the trace to which a line belongs; empty outside of a trace. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
