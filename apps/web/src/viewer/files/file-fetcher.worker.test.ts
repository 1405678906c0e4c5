import { expect, it, vi } from "vitest";
import type { FetchResult, FetchRequest } from "./file-fetcher.worker.ts";

/** Runs the worker as the page uses it; returns its requests to the server, in order, and its messages. */
async function startWorker() {
  const requestedUrls: string[] = [];
  const posted: FetchResult[] = [];
  const answers = new Map<string, (answer: Response) => void>();
  let listen: (event: { data: FetchRequest | "end" }) => void = () => {};
  const close = vi.fn<() => void>();
  vi.resetModules();
  vi.stubGlobal("self", {
    addEventListener: (_: string, listener: typeof listen) => (listen = listener),
    postMessage: (brought: FetchResult) => posted.push(brought),
    close,
  });
  vi.stubGlobal("fetch", (url: string) => {
    requestedUrls.push(url);
    return new Promise<Response>((resolve) => answers.set(url, resolve));
  });
  await import("./file-fetcher.worker.ts");
  const post = (data: FetchRequest | "end") => listen({ data });
  return {
    asked: requestedUrls,
    told: posted,
    close,
    say: post,
    wishes: async (names: string, isAhead = false) => {
      for (const name of names) post({ url: `/${name}`, name, isStored: false, isPrefetch: isAhead });
      await settle();
    },
    answers: async (name: string, answer = new Response(name)) => {
      const before = posted.length;
      answers.get(`/${name}`)?.(answer);
      await vi.waitFor(() => expect(posted.length).toBeGreaterThan(before));
      await settle();
    },
  };
}
const settle = () => new Promise((resolve) => setTimeout(resolve));

it("prefetches three files at a time and fetches five on request, requested ones first, each once", async () => {
  const { asked: requestedUrls, told: posted, close, say: post, wishes, answers } = await startWorker();
  await wishes("abcde", true);
  expect(requestedUrls).toEqual(["/a", "/b", "/c"]);
  // One of them is already being fetched, one waits, two are new.
  await wishes("aexy");
  expect(requestedUrls).toEqual(["/a", "/b", "/c", "/e", "/x"]);
  await answers("b", new Response(null, { status: 404 }));
  expect(requestedUrls.slice(5)).toEqual(["/y"]);
  for (const name of ["a", "c", "e"]) await answers(name);
  expect(requestedUrls.slice(6)).toEqual(["/d"]);
  expect(posted.map(({ name }) => name)).toEqual(["b", "a", "c", "e"]);
  expect(posted[0]).toEqual({ name: "b", status: 404 });
  expect(posted[1]).toMatchObject({ bytes: new TextEncoder().encode("a") });
  post("end");
  for (const name of ["x", "y"]) await answers(name);
  expect(close).not.toHaveBeenCalled();
  await answers("d");
  expect(close).toHaveBeenCalled();
});

it("continues fetching while loaded files are being stored, and closes when all are stored", async () => {
  const puts: (() => void)[] = [];
  vi.stubGlobal("caches", {
    open: async () => ({ match: async () => undefined, put: () => new Promise<void>((done) => puts.push(done)) }),
  });
  const { asked: requestedUrls, close, say: post, answers } = await startWorker();
  for (const name of ["a", "b", "c", "d", "e", "f"]) post({ url: `/${name}`, name, isStored: true, isPrefetch: false });
  await settle();
  expect(requestedUrls).toHaveLength(5);
  await answers("a");
  expect(requestedUrls).toHaveLength(6);
  post("end");
  for (const name of ["b", "c", "d", "e", "f"]) await answers(name);
  expect(close).not.toHaveBeenCalled();
  for (const done of puts) done();
  await settle();
  expect(close).toHaveBeenCalled();
});
