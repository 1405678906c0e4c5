import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { crownStl } from "@arcada/testing/fixtures/patient-with-orders";
import { OtlpCollector } from "@arcada/testing/peers/otlp-collector";
import { present } from "@arcada/testing/require-present";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { Product } from "@arcada/testing/setup/product-process";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentSpan = "b7ad6b7169203331";
const canaries = ["Canary Patient", "1987-06-05", "canary@traces.test", "upper-canary.stl"];

let collector: OtlpCollector;
const products: Product[] = [];
let token = "";
beforeAll(async () => {
  collector = await OtlpCollector.open();
  const shared = {
    DATABASE_URL: await createDatabaseUrl(),
    SECRET_KEY: "a-key-that-all-processes-share-0123",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: "1",
    TRUST_PROXY: "on",
    LOG_LEVEL: "info",
  };
  const web = new Product({ ...shared, ARCADA_ROLE: "web" });
  const worker = new Product({ ...shared, ARCADA_ROLE: "worker", DATA_DIR: web.folder });
  products.push(web, worker);
  await web.start();
  await worker.start();
  const registered = await web.register("canary@traces.test", "clinicManager");
  const institution = await web.call(
    institutionCalls.create,
    { name: "Traces", type: "clinic", country: "CN" },
    { token: registered },
  );
  ({ token } = await web.call(institutionCalls.switch, { iid: institution.id }, { token: registered }));
  const patient = await web.call(
    patientCalls.create,
    { name: "Canary Patient", sex: "other", birthDate: "1987-06-05" },
    { token },
  );
  const upload = await web.upload(token, "upper-canary.stl", crownStl());
  const traceparent = `00-${traceId}-${parentSpan}-01`;
  const job = await web.call(uploadJobCalls.open, { patientId: patient.id, uploads: [upload] }, { token, traceparent });
  await waitForIngest(() => web.call(uploadJobCalls.job, { id: job.id }, { token }));
  // The end of a process sends what waits.
  for (const product of products) await product.stop();
}, 120_000);
afterAll(async () => {
  await products[0]?.remove();
  await collector.close();
});

const traced = () => collector.spans.filter((span) => span.traceId === traceId);
const named = (pattern: RegExp) => traced().filter(({ name }) => pattern.test(name));

describe("an upload whose caller sends traceparent", () => {
  it("reaches the collector in the form of the specification", () => {
    expect(collector.faults).toEqual([]);
    expect(collector.spans.length).toBeGreaterThan(20);
  });

  it("continues the caller's trace with the span of the request", () => {
    const [span] = named(/^POST \/v1\//);
    expect(span).toMatchObject({
      kind: 2,
      parentSpanId: parentSpan,
      name: `POST ${uploadJobCalls.open.path}`,
      attributes: { "http.route": uploadJobCalls.open.path, "http.response.status_code": 200 },
      resource: { "service.name": "arcada", "arcada.role": "web" },
    });
  });

  it("has the statements of the request below its span", () => {
    const request = present(named(/^POST \/v1\//)[0]);
    const statements = traced().filter(({ parentSpanId }) => parentSpanId === request.spanId);
    expect(statements.map(({ attributes }) => attributes["db.system.name"])).toContain("postgresql");
    expect(statements.map(({ name }) => name)).toContain("INSERT ingest_job");
  });

  it("continues in the job of the other process, with its statements and its files", () => {
    const job = present(named(/^job ingest$/)[0], "span of the job");
    expect(job).toMatchObject({ kind: 5, resource: { "arcada.role": "worker" } });
    expect(traced().map(({ spanId }) => spanId)).toContain(job.parentSpanId);
    const inside = traced().filter(({ resource }) => resource["arcada.role"] === "worker");
    expect(inside.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^storage /), expect.stringMatching(/^(SELECT|UPDATE|INSERT) /)]),
    );
  });

  it("discloses no name, day, address, file name or token in any span", () => {
    const text = JSON.stringify(collector.spans);
    expect([...canaries, token].filter((canary) => text.includes(canary))).toEqual([]);
  });

  it("is named in the log with the request, the person and the organisation", () => {
    const lines = present(products[0])
      .output.split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = lines.find(({ route, trace_id }) => route === uploadJobCalls.open.path && trace_id === traceId);
    expect(line).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: "info",
      about: "http",
      message: "request",
      method: "POST",
      status: 200,
      request: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organisation: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const plain = lines.map((one) => JSON.stringify(one)).join("\n");
    expect([...canaries, token].filter((canary) => plain.includes(canary))).toEqual([]);
  });
});
