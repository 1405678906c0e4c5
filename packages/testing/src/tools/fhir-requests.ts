import type { TestServer, TestUser } from "../setup/test-server.ts";
import { validateFhir } from "./validate-fhir.ts";

export interface FhirAnswer<T> {
  status: number;
  type: string | null;
  etag: string | null;
  location: string | null;
  body: T;
}

export interface FhirRequestOptions {
  method?: string;
  headers?: Record<string, string>;
  /** An object is sent as a resource, a text as it is. */
  body?: object | string;
}

/** Sends a FHIR request as a user or with a key; every answer must be valid FHIR. */
export async function askFhir<T>(
  server: TestServer,
  who: TestUser | string,
  path: string,
  { method = "GET", headers = {}, body }: FhirRequestOptions = {},
): Promise<FhirAnswer<T>> {
  const response = await fetch(path.startsWith("http") ? path : `${server.address}/fhir/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${typeof who === "string" ? who : who.token}`,
      "accept-language": "en",
      ...(body !== undefined && { "content-type": "application/fhir+json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === "" ? undefined : (JSON.parse(text) as T);
  if (answer !== undefined) validateFhir(answer);
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    etag: response.headers.get("etag"),
    location: response.headers.get("location"),
    body: answer as T,
  };
}

/** Makes a key with these scopes and returns its secret. */
export async function makeFhirKey(who: TestUser, scopes: readonly string[]): Promise<string> {
  const { secret } = await who.call("interface.makeKey", { name: "FHIR", scopes: [...scopes] as never, days: 30 });
  return secret;
}
