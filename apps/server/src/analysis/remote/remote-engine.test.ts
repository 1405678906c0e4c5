import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import type { EngineImage } from "@arcada/analysis/engine";
import { checkRemoteServer, openRemoteEngine } from "./remote-engine.ts";
import type { RemoteServer } from "../engines/engine-task-types.ts";
import { buildCard, buildManifest } from "@arcada/testing/analysis/write-engine-pack";
import { sendRemoteRequest, type AllowedServers } from "./remote-request.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
const open = new Set<ReturnType<typeof createServer>>();
afterEach(() => {
  for (const server of open) server.close().closeAllConnections();
  open.clear();
});

/** A server that speaks the protocol, version 2, and what it was sent. */
async function modelServer(routes: Record<string, Answer> = {}) {
  const seen: { path: string; headers: IncomingMessage["headers"]; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    seen.push({ path, headers: request.headers, body: await buffer(request) });
    const route = routes[path] ?? standardModel[path];
    if (route) await route(request, response);
    else response.writeHead(404).end();
  });
  open.add(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const remote: RemoteServer = {
    address: `http://${host}`,
    model: "teeth",
    modelVersion: "3",
    token: "let-me-in",
    manifest: JSON.stringify(buildManifest()),
    card: JSON.stringify(buildCard),
  };
  return { remote, seen, reach: { hosts: [host], networks: ["127.0.0.0/8"] } satisfies AllowedServers };
}

const json =
  (value: unknown, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
const model = "/v2/models/teeth/versions/3";
const heatmap: number[] = Array.from({ length: 8 * 16 }, (_, at) => (at === 3 * 16 + 12 ? 0.9 : 0));
const inferredMap = { outputs: [{ name: "map", datatype: "FP32", shape: [1, 1, 8, 16], data: heatmap }] };
const standardModel: Record<string, Answer> = {
  "/v2/health/ready": json({}),
  "/v2": json({ name: "test", version: "1", extensions: [] }),
  [model]: json({
    name: "teeth",
    inputs: [{ name: "in", datatype: "FP32", shape: [-1, 1, 32, 64] }],
    outputs: [{ name: "map", datatype: "FP32", shape: [-1, 1, -1, -1] }],
  }),
  [`${model}/infer`]: json(inferredMap),
};

const image: EngineImage = {
  kind: "picture",
  shows: "panorama",
  columns: 640,
  rows: 320,
  samples: Float32Array.from({ length: 640 * 320 }, (_, at) => at % 640),
  spacing: null,
};
async function checkServer({ remote, reach }: { remote: RemoteServer; reach: AllowedServers }) {
  const engine = await openRemoteEngine(remote, reach);
  return engine.analyse(image, { signal: new AbortController().signal, onProgress: () => {} });
}
const signal = (): AbortSignal => AbortSignal.timeout(5000);

describe("a remote model server", () => {
  it("is checked for readiness, for the model and for the model's input shape", async () => {
    const { remote, reach } = await modelServer();
    expect(await checkRemoteServer(remote, reach, signal())).toMatchObject({
      info: { id: "test.teeth", kind: "remote" },
    });
  });

  it("receives only pixels and its token, and its output becomes observations", async () => {
    const server = await modelServer();
    const { observations } = await checkServer(server);
    expect(observations).toMatchObject([{ code: "TOOTH_BOX", target: { fdi: 11 } }]);
    const [{ headers, body }] = server.seen.filter(({ path }) => path.endsWith("/infer")) as [(typeof server.seen)[0]];
    expect(headers.authorization).toBe("Bearer let-me-in");
    const sent = JSON.parse(body.toString()) as { inputs: { data: number[] }[] };
    expect(Object.keys(sent)).toEqual(["inputs", "outputs"]);
    expect(sent.inputs).toMatchObject([{ name: "in", shape: [1, 1, 32, 64], datatype: "FP32" }]);
    expect(sent.inputs[0]?.data).toHaveLength(32 * 64);
  });

  it("exchanges values in binary where it supports that", async () => {
    const values = Float32Array.from(heatmap);
    const server = await modelServer({
      "/v2": json({ extensions: ["binary_tensor_data"] }),
      [`${model}/infer`]: (_, response) => {
        const output = { name: "map", datatype: "FP32", shape: [1, 1, 8, 16], parameters: { binary_data_size: 512 } };
        const head = Buffer.from(JSON.stringify({ outputs: [output] }));
        response.writeHead(200, { "inference-header-content-length": head.length });
        response.end(Buffer.concat([head, Buffer.from(values.buffer)]));
      },
    });
    expect((await checkServer(server)).observations).toHaveLength(1);
    const sent = server.seen.find(({ path }) => path.endsWith("/infer"));
    expect(sent?.body.length).toBe(Number(sent?.headers["inference-header-content-length"]) + 4 * 32 * 64);
  });

  const output = inferredMap.outputs[0];
  it.each([
    ["is not ready", { "/v2/health/ready": json({}, 503) }, "serverNotReady"],
    ["has no such model", { [model]: json({}, 404) }, "serverRefused"],
    ["leads elsewhere", { [`${model}/infer`]: redirect }, "serverRefused"],
    ["answers what is no JSON", { [`${model}/infer`]: plain("NaN!") }, "wrongShape"],
    [
      "answers no number",
      { [`${model}/infer`]: json({ outputs: [{ ...output, data: heatmap.with(3, NaN) }] }) },
      "notANumber",
    ],
    [
      "answers another shape",
      { [`${model}/infer`]: json({ outputs: [{ ...output, shape: [1, 1, 8, 15] }] }) },
      "wrongShape",
    ],
    [
      "answers a tensor of 2 GB",
      { [`${model}/infer`]: json({ outputs: [{ ...output, shape: [1, 512, 1024, 1024] }] }) },
      "tooLarge",
    ],
    ["hangs up", { [`${model}/infer`]: hangUpServer }, "serverUnreachable"],
  ] as const)("that %s is refused as a whole", async (_, routes, fault) => {
    await expect(checkServer(await modelServer(routes))).rejects.toMatchObject({ fault });
  });

  it("is limited in response time and response size", async () => {
    const { remote, reach } = await modelServer({ "/slow": () => {}, "/long": (_, response) => endless(response) });
    const question = { token: null, maxBytes: 1_000_000 };
    const slow = sendRemoteRequest(
      { ...question, url: new URL("/slow", remote.address), signal: AbortSignal.timeout(200) },
      reach,
    );
    await expect(slow).rejects.toMatchObject({ fault: "timeout" });
    const long = sendRemoteRequest({ ...question, url: new URL("/long", remote.address), signal: signal() }, reach);
    await expect(long).rejects.toMatchObject({ fault: "tooLarge" });
  });

  it("is called only at hosts that the operator lists, and at a private address only if its network is allowed", async () => {
    const { remote, reach, seen } = await modelServer();
    for (const closed of [
      { ...reach, hosts: [] },
      { ...reach, hosts: ["127.0.0.2"] },
      { ...reach, networks: [] },
    ])
      expect(await checkRemoteServer(remote, closed, signal())).toMatchObject({ fault: "hostForbidden" });
    expect(seen).toEqual([]);
  });
});

function redirect(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(307, { location: "http://127.0.0.1/elsewhere" }).end();
}
function plain(text: string): Answer {
  return (_, response) => void response.end(text);
}
function hangUpServer(request: IncomingMessage): void {
  request.socket.destroy();
}
function endless(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  };
  response.on("drain", more);
  more();
}
