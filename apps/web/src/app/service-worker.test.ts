import { beforeAll, expect, it, vi } from "vitest";

interface FakeEvent {
  request: { method: string; mode: string; url: string };
  respondWith: (response: Promise<Response>) => void;
  waitUntil: (work: Promise<unknown>) => void;
  preloadResponse?: Promise<Response | undefined>;
}
const handlers = new Map<string, (event: FakeEvent) => void>();
const cached = new Map<string, Response>();

beforeAll(async () => {
  vi.stubGlobal("addEventListener", (name: string, handle: (event: FakeEvent) => void) => handlers.set(name, handle));
  vi.stubGlobal("location", new URL("https://arcada.example/service-worker.js"));
  const cache = {
    match: async (path: string) => cached.get(path),
    put: async (path: string, response: Response) => void cached.set(path, response),
  };
  vi.stubGlobal("caches", { open: async () => cache, match: cache.match });
  await import("./service-worker.ts");
});

/** Returns the worker's answer; null if it leaves the request to the browser. */
async function request(url: string, { method = "GET", mode = "cors" } = {}): Promise<Response | null> {
  let answer: Promise<Response> | null = null;
  handlers.get("fetch")?.({
    request: { method, mode, url: new URL(url, "https://arcada.example").href },
    respondWith: (response) => void (answer = response),
    waitUntil: () => {},
  });
  return answer;
}

it.each([
  "/v1/patient/list",
  "/v1/notice/stream",
  "/files/converted/a/b",
  "/uploads/1",
  "/dicomweb/studies",
  "/fhir/Patient",
  "/service-worker.js",
  "/assets/volume.wasm",
  "https://elsewhere.example/assets/a.js",
])("leaves %s to the browser", async (url) => {
  expect(await request(url)).toBeNull();
  expect(await request(url, { mode: "navigate" })).toBeNull();
});

it("leaves everything that is no GET to the browser", async () => {
  expect(await request("/assets/app-1.js", { method: "POST" })).toBeNull();
});

it("answers a script from the cache, and keeps one that it had to fetch", async () => {
  const fetched = vi.fn<() => Promise<Response>>(async () => new Response("code"));
  vi.stubGlobal("fetch", fetched);
  expect(await (await request("/assets/app-1.js"))?.text()).toBe("code");
  expect(await (await request("/assets/app-1.js"))?.text()).toBe("code");
  expect(fetched).toHaveBeenCalledTimes(1);
});
