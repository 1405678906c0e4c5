import http from "node:http";
import https from "node:https";
import { EngineFault } from "@arcada/analysis/engine";
import {
  isAllowedNetwork,
  toBlockList,
  resolveReachable,
  type ResolvedAddress,
} from "../../platform/security/outbound-address-guard.ts";

/**
 * The servers that may be called: hosts by name, with their port where it matters, and private networks such as
 * 10.1.0.0/16.
 */
export interface AllowedServers {
  hosts: readonly string[];
  networks: readonly string[];
}

export interface RemoteRequest {
  url: URL;
  token: string | null;
  /** The body to send, if any; otherwise the request is a GET. */
  body?: { bytes: Uint8Array; headers: Record<string, string> };
  maxBytes: number;
  signal: AbortSignal;
}
export interface RemoteResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
}

/**
 * Calls a server on the list. No redirect is followed and no proxy used; the connection goes to the address that was
 * checked; reading stops when a response is too long.
 * @throws EngineFault hostForbidden, serverUnreachable, tooLarge, timeout
 */
export async function sendRemoteRequest(request: RemoteRequest, reach: AllowedServers): Promise<RemoteResponse> {
  const places = await resolveAllowedAddresses(request.url, reach);
  try {
    return await sendTo(request, places);
  } catch (error) {
    if (error instanceof EngineFault) throw error;
    const { name = "", code = "" } = error as { name?: string; code?: string };
    if (name === "TimeoutError" || name === "AbortError") throw new EngineFault("timeout", request.url.host);
    throw new EngineFault("serverUnreachable", `${request.url.host} ${code}`.trim());
  }
}

/** A private address is allowed only if the operator has opened its network, and only there without TLS. */
async function resolveAllowedAddresses(url: URL, { hosts, networks }: AllowedServers): Promise<ResolvedAddress[]> {
  const isNamed = hosts.some((host) => [url.host, url.hostname].includes(host.toLowerCase()));
  if (!isNamed || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "")
    throw new EngineFault("hostForbidden", url.host);
  const own = toBlockList(networks);
  const places = await resolveReachable(url.hostname, own).catch(() => {
    throw new EngineFault("serverUnreachable", url.host);
  });
  if (!places || (url.protocol === "http:" && !places.every((place) => isAllowedNetwork(place, own))))
    throw new EngineFault("hostForbidden", url.host);
  return places;
}

function sendTo(
  { url, token, body, maxBytes, signal }: RemoteRequest,
  places: readonly ResolvedAddress[],
): Promise<RemoteResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RemoteResponse>();
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
        if (length <= maxBytes) return void pieces.push(piece);
        reject(new EngineFault("tooLarge", `more than ${maxBytes} bytes`));
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
