import { readFileSync } from "node:fs";
import type { CapabilityStatement } from "@medplum/fhirtypes";
import { expect, it } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";

const manifest = new URL("../../../../../package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };

it("states one version on the sign-in page, in FHIR and to probes", async () => {
  const server = await getTestServer();
  const fetchJson = async <T>(path: string) => (await (await fetch(server.address + path)).json()) as T;
  const welcome = (await server.ask("account.welcome", {})).data.version;
  const { software } = await fetchJson<CapabilityStatement>("/fhir/metadata");
  const { version: probed } = await fetchJson<{ version: string }>("/livez");
  expect([welcome, software?.version, probed]).toEqual([version, version, version]);
});
