import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import root from "otlp-official-decoder/build/src/generated/root.js";

interface Attribute {
  key?: string;
  value?: { stringValue?: string; boolValue?: boolean; intValue?: unknown; doubleValue?: number } | null;
}
interface DecodedSpan {
  traceId?: Uint8Array;
  spanId?: Uint8Array;
  parentSpanId?: Uint8Array;
  name?: string;
  kind?: number;
  startTimeUnixNano?: unknown;
  endTimeUnixNano?: unknown;
  attributes?: Attribute[];
  status?: { code?: number } | null;
}
interface DecodedRequest {
  resourceSpans?: {
    resource?: { attributes?: Attribute[] } | null;
    scopeSpans?: { spans?: DecodedSpan[] }[];
  }[];
}
interface MessageType<T> {
  decode(bytes: Uint8Array): T;
  encode(message: T): { finish(): Uint8Array };
}

// The generated code has no types of its own.
const { ExportTraceServiceRequest, ExportTraceServiceResponse } = (
  root as unknown as {
    opentelemetry: {
      proto: {
        collector: {
          trace: {
            v1: {
              ExportTraceServiceRequest: MessageType<DecodedRequest>;
              ExportTraceServiceResponse: MessageType<object>;
            };
          };
        };
      };
    };
  }
).opentelemetry.proto.collector.trace.v1;

export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  /** As in the specification: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  /** 2: error. */
  status: number;
}

/**
 * A collector for OTLP over HTTP with protobuf. It decodes with the code that OpenTelemetry generated from its own
 * schema, another one than the exporter's, and refuses what the specification does not allow.
 */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];
  /** The reasons for which requests were refused. */
  readonly faults: string[] = [];
  readonly #server: Server;
  private constructor(server: Server) {
    this.#server = server;
  }
  static async open(): Promise<OtlpCollector> {
    const server = createServer();
    const collector = new OtlpCollector(server);
    server.on("request", (request, response) => {
      void collector.#receive(request).then(
        () =>
          response
            .writeHead(200, { "content-type": "application/x-protobuf" })
            .end(ExportTraceServiceResponse.encode({}).finish()),
        (error: Error) => {
          collector.faults.push(error.message);
          response.writeHead(400).end();
        },
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return collector;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage): Promise<void> {
    if (request.method !== "POST" || request.url !== "/v1/traces") throw new Error(`${request.method} ${request.url}`);
    if (request.headers["content-type"] !== "application/x-protobuf")
      throw new Error(`the type ${request.headers["content-type"]}`);
    const isPacked = request.headers["content-encoding"] === "gzip";
    const bytes = await buffer(isPacked ? request.pipe(createGunzip()) : request);
    const decoded = ExportTraceServiceRequest.decode(bytes);
    // A field that the schema lacks would be lost here.
    const again = ExportTraceServiceRequest.encode(decoded).finish();
    if (again.length !== bytes.length) throw new Error(`${bytes.length - again.length} bytes are not in the schema`);
    for (const { resource, scopeSpans } of decoded.resourceSpans ?? []) {
      const about = toRecord(resource?.attributes);
      if (!about["service.name"]) throw new Error("a resource without service.name");
      for (const { spans } of scopeSpans ?? [])
        for (const span of spans ?? []) this.spans.push({ ...toSpan(span), resource: about });
    }
  }
}

function toSpan(span: DecodedSpan): Omit<CollectedSpan, "resource"> {
  const [traceId, spanId, parentSpanId] = [span.traceId, span.spanId, span.parentSpanId].map((id) =>
    Buffer.from(id ?? []).toString("hex"),
  ) as [string, string, string];
  if (!/^[0-9a-f]{32}$/.test(traceId) || /^0+$/.test(traceId)) throw new Error(`the trace id ${traceId}`);
  if (!/^[0-9a-f]{16}$/.test(spanId) || /^0+$/.test(spanId)) throw new Error(`the span id ${spanId}`);
  if (!span.name) throw new Error("a span without a name");
  if (!(Number(span.startTimeUnixNano) > 0 && Number(span.endTimeUnixNano) >= Number(span.startTimeUnixNano)))
    throw new Error(`the times of ${span.name}`);
  return {
    name: span.name,
    traceId,
    spanId,
    parentSpanId,
    kind: Number(span.kind ?? 0),
    attributes: toRecord(span.attributes),
    status: Number(span.status?.code ?? 0),
  };
}

const toRecord = (attributes: readonly Attribute[] | undefined): Record<string, unknown> =>
  Object.fromEntries(
    (attributes ?? []).map(({ key, value }) => [
      key ?? "",
      value?.stringValue ?? value?.boolValue ?? (value?.intValue == null ? value?.doubleValue : Number(value.intValue)),
    ]),
  );
