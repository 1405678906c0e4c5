import http from "node:http";
import https from "node:https";
import { EngineFault } from "@arcada/analysis/engine";
import { isOwn, networksOf, placesOf, type Place } from "../platform/security/outbound-address-guard.ts";

/**
 * The servers that may be called: hosts by name, with their port where it matters, and private networks such as
 * 10.1.0.0/16.
 */
export interface Reach {
  hosts: readonly string[];
  networks: readonly string[];
}

export interface Question {
  url: URL;
  token: string | null;
  /** The body to send, if any; otherwise the request is a GET. */
  body?: { bytes: Uint8Array; headers: Record<string, string> };
  mostBytes: number;
  signal: AbortSignal;
}
export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
}

/**
 * Calls a server on the list. No redirect is followed and no proxy used; the connection goes to the address that was
 * checked; reading stops when a response is too long.
 * @throws EngineFault hostForbidden, serverUnreachable, tooLarge, timeout
 */
export async function ask(question: Question, reach: Reach): Promise<Reply> {
  const places = await placesFor(question.url, reach);
  try {
    return await send(question, places);
  } catch (error) {
    if (error instanceof EngineFault) throw error;
    const { name = "", code = "" } = error as { name?: string; code?: string };
    if (name === "TimeoutError" || name === "AbortError") throw new EngineFault("timeout", question.url.host);
    throw new EngineFault("serverUnreachable", `${question.url.host} ${code}`.trim());
  }
}

/** A private address is allowed only if the operator has opened its network, and only there without TLS. */
async function placesFor(url: URL, { hosts, networks }: Reach): Promise<Place[]> {
  const isNamed = hosts.some((host) => [url.host, url.hostname].includes(host.toLowerCase()));
  if (!isNamed || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "")
    throw new EngineFault("hostForbidden", url.host);
  const own = networksOf(networks);
  const places = await placesOf(url.hostname, own).catch(() => {
    throw new EngineFault("serverUnreachable", url.host);
  });
  if (!places || (url.protocol === "http:" && !places.every((place) => isOwn(place, own))))
    throw new EngineFault("hostForbidden", url.host);
  return places;
}

function send({ url, token, body, mostBytes, signal }: Question, places: readonly Place[]): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const [first] = places;
  const sent = (url.protocol === "https:" ? https : http).request(
    url,
    {
      method: body ? "POST" : "GET",
      headers: {
        accept: "application/json",
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body && { ...body.headers, "content-length": body.bytes.byteLength }),
      },
      signal,
      agent: false,
      lookup: (_, options, done) =>
        options.all ? done(null, [...places]) : done(null, first?.address ?? "", first?.family),
    },
    (response) => {
      const pieces: Buffer[] = [];
      let length = 0;
      response.on("data", (piece: Buffer) => {
        length += piece.length;
        if (length <= mostBytes) return void pieces.push(piece);
        reject(new EngineFault("tooLarge", `more than ${mostBytes} bytes`));
        response.destroy();
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) }),
      );
      response.on("error", reject);
    },
  );
  sent.on("error", reject);
  sent.end(body?.bytes);
  return promise;
}
