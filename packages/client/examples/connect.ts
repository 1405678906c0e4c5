import { createArcadaClient, type ArcadaClient } from "../src/arcada-client.ts";

/** The client of all examples: address and key come from the environment, as a key is no part of a program. */
export function connect(): ArcadaClient {
  const { ARCADA_URL: url, ARCADA_KEY: key } = process.env;
  if (!url || !key) throw new Error("Set ARCADA_URL and ARCADA_KEY.");
  return createArcadaClient({ url, key });
}
