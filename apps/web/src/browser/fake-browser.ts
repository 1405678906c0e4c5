import { vi } from "vitest";

interface FakeResponse {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
}
export interface SentRequest {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

/**
 * A fake of the browser as far as the kernel needs it, for tests: cookies, storage, an address, and a server that
 * answers from a list.
 */
export function fakeBrowser(
  answers: (FakeResponse | Error | "late")[] = [],
  at = "https://arcada.example/patientList",
) {
  const cookies = new Map<string, string>();
  const sent: SentRequest[] = [];
  const went: string[] = [];
  vi.stubGlobal("document", {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    },
    set cookie(text: string) {
      const [pair = "", ...rules] = text.split("; ");
      const [name = "", value = ""] = pair.split("=");
      if (rules.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    },
    documentElement: {},
  });
  const url = new URL(at);
  vi.stubGlobal("location", {
    href: at,
    origin: url.origin,
    protocol: url.protocol,
    pathname: url.pathname,
    search: url.search,
    assign: (to: string) => went.push(to),
  });
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    sent.push({
      path,
      method: init.method ?? "GET",
      headers: init.headers as Record<string, string>,
      body: init.body ? JSON.parse(init.body as string) : undefined,
    });
    const answer = answers.shift() ?? { body: { code: 200, msg: "", data: null } };
    if (answer === "late")
      return new Promise((_, fail) => init.signal?.addEventListener("abort", () => fail(init.signal?.reason)));
    if (answer instanceof Error) throw answer;
    return new Response(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body), {
      status: answer.status ?? 200,
      headers: answer.headers ?? {},
    });
  });
  return { cookies, sent, went };
}
