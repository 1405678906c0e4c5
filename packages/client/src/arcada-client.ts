import { callRoutes } from "./calls.generated.ts";
import type { Calls } from "./calls.generated.ts";
import { ArcadaRefusal } from "./arcada-refusal.ts";

export interface ArcadaOptions {
  /** The address of the installation, such as `https://arcada.example`. */
  url: string;
  /** The key of an organisation, from *Organisation → Open interface*. */
  key: string;
  /** The language of the messages in refusals. */
  language?: string;
  /** The most milliseconds that one request may take; 30,000 if nothing is said. */
  timeout?: number;
}

export interface CallOptions {
  /** A repeated command with the same key gets the first answer again, so that nothing is ordered twice. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export type CallName = keyof Calls;

/** Makes the calls that the scopes of a key allow. */
export interface ArcadaClient {
  readonly options: Readonly<ArcadaOptions>;
  /**
   * Makes a call and returns its data. Waits and tries again when the server asks for a pause (status 429).
   *
   * @throws ArcadaRefusal when the server refuses, with the code of the refusal
   */
  call<Name extends CallName>(
    name: Name,
    input: Calls[Name]["input"],
    options?: CallOptions,
  ): Promise<Calls[Name]["output"]>;
}

export function createArcadaClient(options: ArcadaOptions): ArcadaClient {
  const url = options.url.replace(/\/$/, "");
  return {
    options: { ...options, url },
    async call(name, input, { idempotencyKey, signal } = {}) {
      const [method, path] = callRoutes[name];
      const isGet = method === "GET";
      const address = isGet ? `${url}${path}${toQuery(input)}` : `${url}${path}`;
      for (let attempt = 1; ; attempt++) {
        const limit = AbortSignal.timeout(options.timeout ?? 30_000);
        const response = await fetch(address, {
          method,
          headers: {
            authorization: `Bearer ${options.key}`,
            "accept-language": options.language ?? "en",
            ...(!isGet && { "content-type": "application/json" }),
            ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
          },
          ...(!isGet && { body: JSON.stringify(input) }),
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        });
        if (response.status !== 429 || attempt === maxAttempts) return readData(response);
        await response.body?.cancel();
        await pause(Math.min(Number(response.headers.get("retry-after")) || 1, longestPause) * 1000, signal);
      }
    },
  };
}

const maxAttempts = 4;
/** In seconds. */
const longestPause = 60;

function toQuery(input: object): string {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return query === "" ? "" : `?${query}`;
}

async function readData<Data>(response: Response): Promise<Data> {
  const text = await response.text();
  const envelope = parseEnvelope(text);
  if (envelope?.code === 200) return envelope.data as Data;
  throw new ArcadaRefusal(response.status, envelope ?? { code: 0, msg: text.slice(0, 200), data: null });
}

function parseEnvelope(text: string): { code: number; msg: string; data: unknown } | null {
  try {
    const body: unknown = JSON.parse(text);
    return body !== null && typeof body === "object" && "code" in body && "data" in body
      ? (body as { code: number; msg: string; data: unknown })
      : null;
  } catch {
    return null;
  }
}

/** Resolves after a time, or rejects when the signal is aborted. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
