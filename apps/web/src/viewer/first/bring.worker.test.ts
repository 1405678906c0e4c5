import { expect, it, vi } from "vitest";
import type { Brought, Wish } from "./bring.worker.ts";

/** Runs the worker as the page uses it; returns its requests to the server, in order, and its messages. */
async function thread() {
  const asked: string[] = [];
  const told: Brought[] = [];
  const answers = new Map<string, (answer: Response) => void>();
  let hear: (event: { data: Wish | "end" }) => void = () => {};
  const close = vi.fn<() => void>();
  vi.resetModules();
  vi.stubGlobal("self", {
    addEventListener: (_: string, listener: typeof hear) => (hear = listener),
    postMessage: (brought: Brought) => told.push(brought),
    close,
  });
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return new Promise<Response>((resolve) => answers.set(url, resolve));
  });
  await import("./bring.worker.ts");
  const say = (data: Wish | "end") => hear({ data });
  return {
    asked,
    told,
    close,
    say,
    wishes: async (names: string, isAhead = false) => {
      for (const name of names) say({ url: `/${name}`, name, isKept: false, isAhead });
      await calm();
    },
    answers: async (name: string, answer = new Response(name)) => {
      const before = told.length;
      answers.get(`/${name}`)?.(answer);
      await vi.waitFor(() => expect(told.length).toBeGreaterThan(before));
      await calm();
    },
  };
}
const calm = () => new Promise((resolve) => setTimeout(resolve));

it("has three files on their way ahead of the page and five once it wishes, what is wished for first, each once", async () => {
  const { asked, told, close, say, wishes, answers } = await thread();
  await wishes("abcde", true);
  expect(asked).toEqual(["/a", "/b", "/c"]);
  // One of them is already being fetched, one waits, two are new.
  await wishes("aexy");
  expect(asked).toEqual(["/a", "/b", "/c", "/e", "/x"]);
  await answers("b", new Response(null, { status: 404 }));
  expect(asked.slice(5)).toEqual(["/y"]);
  for (const name of ["a", "c", "e"]) await answers(name);
  expect(asked.slice(6)).toEqual(["/d"]);
  expect(told.map(({ name }) => name)).toEqual(["b", "a", "c", "e"]);
  expect(told[0]).toEqual({ name: "b", status: 404 });
  expect(told[1]).toMatchObject({ bytes: new TextEncoder().encode("a") });
  say("end");
  for (const name of ["x", "y"]) await answers(name);
  expect(close).not.toHaveBeenCalled();
  await answers("d");
  expect(close).toHaveBeenCalled();
});

it("goes on asking while what came is still being kept, and ends when all is", async () => {
  const puts: (() => void)[] = [];
  vi.stubGlobal("caches", {
    open: async () => ({ match: async () => undefined, put: () => new Promise<void>((done) => puts.push(done)) }),
  });
  const { asked, close, say, answers } = await thread();
  for (const name of ["a", "b", "c", "d", "e", "f"]) say({ url: `/${name}`, name, isKept: true, isAhead: false });
  await calm();
  expect(asked).toHaveLength(5);
  await answers("a");
  expect(asked).toHaveLength(6);
  say("end");
  for (const name of ["b", "c", "d", "e", "f"]) await answers(name);
  expect(close).not.toHaveBeenCalled();
  for (const done of puts) done();
  await calm();
  expect(close).toHaveBeenCalled();
});
