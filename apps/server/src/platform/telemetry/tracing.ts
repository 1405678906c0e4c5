import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";

/** Null: this process does not trace, and every function here does nothing but the work that it is given. */
let tracer: Tracer | null = null;

export const setTracer = (given: Tracer | null): void => void (tracer = given);
export const isTracing = (): boolean => tracer !== null;

interface SpanOptions {
  kind?: "server" | "consumer" | "client";
  /** Names, ids of patients, values of statements and secrets must not be among them. */
  attributes?: Attributes;
  /** A `traceparent` of another process. Default: the span that is active here. */
  parent?: string | undefined;
}
const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;

/** Runs the work within a span of its own; an error marks the span with the error's class, never with its message. */
export async function withSpan<T>(
  name: string,
  { kind, attributes, parent }: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer) return work();
  const from = parent === undefined ? context.active() : contextOf(parent);
  const span = tracer.startSpan(name, { ...(kind && { kind: kinds[kind] }), ...(attributes && { attributes }) }, from);
  try {
    return await context.with(trace.setSpan(from, span), work);
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** True inside of work whose trace is recorded. */
export const isRecording = (): boolean => tracer !== null && (trace.getActiveSpan()?.isRecording() ?? false);

/**
 * Does the same where the work belongs to something that is traced already. Polling and other work without a cause of
 * its own would fill the collector otherwise.
 */
export const withInnerSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  isRecording() ? withSpan(name, { kind: "client", attributes }, work) : work();

const markFailed = (span: Span, error: unknown): void => {
  const { name = "Error", code } = error as { name?: string; code?: unknown };
  span.setAttribute("error.type", typeof code === "string" ? code : name);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** The `traceparent` of the active span, to hand over to another process; undefined if nothing is traced. */
export function currentTraceparent(): string | undefined {
  if (!tracer || !trace.getActiveSpan()) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

const contextOf = (traceparent: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent });

/** A span whose work is called piece by piece, such as the hooks of one request. */
export interface OpenSpan {
  run<T>(work: () => T): T;
  end(attributes: Attributes, isFailed: boolean): void;
}

/** Null: this process does not trace. */
export function openSpan(name: string, { kind, attributes, parent }: SpanOptions): OpenSpan | null {
  if (!tracer) return null;
  const from = parent === undefined ? ROOT_CONTEXT : contextOf(parent);
  const span = tracer.startSpan(name, { ...(kind && { kind: kinds[kind] }), ...(attributes && { attributes }) }, from);
  const inside = trace.setSpan(from, span);
  return {
    run: (work) => context.with(inside, work),
    end: (last, isFailed) => {
      span.setAttributes(last);
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
